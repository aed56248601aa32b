// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// The client's side of one login. It is made with the PIN, sent as U and UT, and consumed by the answer to the
/// challenge.
package struct ClientSession: ~Copyable {
    /// U = x A, 65 bytes.
    package let u: [UInt8]
    /// UT = x (A + AT), 65 bytes; nil without a time permit.
    package let ut: [UInt8]?
    /// x, 32 bytes.
    private let x: SecretBytes
    /// token + alpha A [+ permit], 65 bytes.
    private let secret: SecretBytes

    /// Makes a session without a time permit.
    ///
    /// - Parameter x: the session's scalar, for tests and fixed inputs; random otherwise.
    /// - Throws: ``CryptoError/invalidPoint``, ``CryptoError/invalidScalar`` for an x that is 0,
    ///   ``CryptoError/infinity``, ``CryptoError/randomUnavailable``, ``CryptoError/memoryUnavailable``.
    package init(
        identity: Identity, token: borrowing SecretBytes, factor: borrowing PINFactor, x: consuming SecretBytes? = nil
    ) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        let x = try ClientSession.drawn(x, beside: token)
        let point = identity.point
        let secret = try ClientSession.restored(token, factor, point)
        let u = try ClientSession.commitment(x, point)
        self.u = u
        self.ut = nil
        self.x = x
        self.secret = secret
    }

    /// Makes a session with a time permit.
    ///
    /// - Parameters:
    ///   - permit: the sum of the two permit shares, 65 bytes.
    ///   - day: the permit's day, which came with it.
    ///   - x: the session's scalar, for tests and fixed inputs; random otherwise.
    /// - Throws: as ``init(identity:token:factor:x:)``, and ``CryptoError/libraryUnavailable``.
    package init(
        identity: Identity, token: borrowing SecretBytes, factor: borrowing PINFactor,
        permit: borrowing SecretBytes, day: PermitDay, x: consuming SecretBytes? = nil
    ) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        let x = try ClientSession.drawn(x, beside: token)
        let point = identity.point
        let secret = try ClientSession.restored(token, factor, point, permit)
        let u = try ClientSession.commitment(x, point)
        let ut = try ClientSession.commitment(x, point + identity.permitPoint(on: day))
        self.u = u
        self.ut = ut
        self.x = x
        self.secret = secret
    }

    /// V = -(x + y) SEC, 65 bytes.
    ///
    /// - Parameter y: the server's challenge, 32 bytes, taken modulo r.
    /// - Throws: ``CryptoError/invalidScalar`` for a y of another length or 0 modulo r; ``CryptoError/infinity`` if x +
    ///   y is 0 modulo r.
    package consuming func answer(challenge y: [UInt8]) throws(CryptoError) -> [UInt8] {
        defer { mpin_wipe_stack() }
        return try ClientSession.answer(x, secret, y)
    }

    @inline(never)
    private static func drawn(
        _ x: consuming SecretBytes?, beside token: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        if let x { return x }
        return try SecretBytes.randomScalar(in: SecretBytes(capacity: Scalar.byteCount, beside: token))
    }

    @inline(never)
    private static func restored(
        _ token: borrowing SecretBytes, _ factor: borrowing PINFactor, _ point: G1
    ) throws(CryptoError) -> SecretBytes {
        try SecretBytes.encoding(token.point() + factor.multiple(of: point), beside: token)
    }

    @inline(never)
    private static func restored(
        _ token: borrowing SecretBytes, _ factor: borrowing PINFactor, _ point: G1, _ permit: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        let secret = try token.point() + factor.multiple(of: point)
        return try SecretBytes.encoding(secret + permit.point(), beside: token)
    }

    @inline(never)
    private static func commitment(_ x: borrowing SecretBytes, _ point: G1) throws(CryptoError) -> [UInt8] {
        try PublicEncoding.bytes(of: point.multiplied(by: try x.scalar()))
    }

    @inline(never)
    private static func answer(
        _ x: borrowing SecretBytes, _ secret: borrowing SecretBytes, _ y: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let challenge = try PublicEncoding.scalar(y)
        guard !challenge.isZero.isSet else { throw .invalidScalar }
        let sum = try x.scalar() + challenge
        return try PublicEncoding.bytes(of: try secret.point().multiplied(by: -sum))
    }
}
