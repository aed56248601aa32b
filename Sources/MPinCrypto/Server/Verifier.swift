// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// The server's check of a login, with its two fixed G2 points prepared in advance.
package struct Verifier: Sendable {
    /// Q.
    private let generator: PreparedG2
    /// s Q.
    private let secret: ServerSecret
    private let known = KnownIdentities()

    /// - Parameter serverSecret: the sum of both authorities' server shares, 128 bytes.
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/memoryUnavailable``.
    package init(serverSecret: borrowing SecretBytes) throws(CryptoError) {
        secret = try ServerSecret(serverSecret)
        generator = PreparedG2(G2.generator)
    }

    /// Whether the server's secret is kept out of swap.
    package var isLocked: Bool { secret.isLocked }

    /// Whether e(Q, V) e(sQ, W + y B) = 1. With a day, W is UT and B is A + AT; without a day, they are U and A.
    ///
    /// Malformed input is not accepted. `u` must be a point even if it is not part of the check.
    /// - Parameters:
    ///   - day: the server's own day, nil for a login without a time permit.
    ///   - y: the challenge that this server issued after U and UT had arrived, valid for one answer.
    package func accepts(
        identity: Identity, day: PermitDay?, u: [UInt8], ut: [UInt8]?, y: [UInt8], v: [UInt8]
    ) -> Bool {
        do {
            _ = try PublicEncoding.g1(u)
            guard let commitment = day == nil ? u : ut else { return false }
            return try accepts(base: base(of: identity, on: day), commitment: commitment, y: y, v: v)
        } catch { return false }
    }

    /// Whether e(Q, V) e(sQ, W + y B) = 1, for given points.
    ///
    /// - Parameters:
    ///   - base: B, 65 bytes.
    ///   - commitment: W, 65 bytes.
    /// - Throws: ``CryptoError/invalidPoint``, ``CryptoError/invalidScalar``; ``CryptoError/infinity`` if W + y B is
    ///   infinity.
    package func accepts(base: [UInt8], commitment: [UInt8], y: [UInt8], v: [UInt8]) throws(CryptoError) -> Bool {
        try accepts(base: PublicEncoding.g1(base), commitment: commitment, y: y, v: v)
    }

    private func base(of identity: Identity, on day: PermitDay?) throws(CryptoError) -> G1 {
        return try known.base(of: identity, on: day)
    }

    /// How many identities' points are cached for their next login.
    package var knownIdentityCount: Int { known.count }

    /// The largest possible ``knownIdentityCount``.
    package static var knownIdentityLimit: Int { KnownIdentities.capacity }

    private func accepts(base: G1, commitment: [UInt8], y: [UInt8], v: [UInt8]) throws(CryptoError) -> Bool {
        let answer = try PublicEncoding.g1(v)
        let claim = try claim(base: base, commitment: commitment, y: y)
        return product(answer, claim) == GT.one
    }

    /// e(Q, V) e(sQ, W + y B).
    private func product(_ answer: G1, _ claim: G1) -> GT {
        secret.withLines { lines in AtePairing.product((generator, answer), lines: lines, claim) }
    }

    /// W + y B, all public. Throws ``CryptoError/infinity`` if it is infinity.
    private func claim(base: G1, commitment: [UInt8], y: [UInt8]) throws(CryptoError) -> G1 {
        let challenge = try PublicEncoding.scalar(y)
        guard !challenge.isZero.isSet else { throw .invalidScalar }
        let sum = try PublicEncoding.g1(commitment) + base.multiplied(byPublic: challenge)
        guard !sum.isInfinity.isSet else { throw .infinity }
        return sum
    }
}

/// s Q with the lines of its Miller loop, in memory for secrets.
///
/// An attacker who has it and a token finds the PIN by trying all, so it must no more get into a dump or into swap than
/// a master share. It is a class because all threads share one verifier; it never changes.
final class ServerSecret: @unchecked Sendable {
    private let lines: SecretBytes

    /// - Parameter encoding: 128 bytes.
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/memoryUnavailable``.
    init(_ encoding: borrowing SecretBytes) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        lines = try ServerSecret.prepared(encoding)
    }

    var isLocked: Bool { lines.isLocked }

    func withLines<R>(_ body: (Span<UInt8>) -> R) -> R { lines.withBytes(body) }

    @inline(never)
    private static func prepared(_ encoding: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        let point = try encoding.twistPoint()
        var lines = try SecretBytes(capacity: PreparedG2.byteCount)
        lines.withMutableBytes(count: PreparedG2.byteCount) { bytes in PreparedG2.write(point, to: &bytes) }
        return lines
    }
}
