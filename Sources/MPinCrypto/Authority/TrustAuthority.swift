// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// A distributed trust authority. Each of the two has half of the master secret; the whole secret exists nowhere.
package struct TrustAuthority: ~Copyable {
    private let master: SecretBytes

    /// - Parameter master: 32 bytes, big-endian, from 1 to r - 1.
    /// - Throws: ``CryptoError/invalidScalar``.
    package init(master: consuming SecretBytes) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        try TrustAuthority.check(master)
        self.master = master
    }

    /// Makes a new authority with a random master secret.
    package static func generate() throws(CryptoError) -> TrustAuthority {
        let master = try SecretBytes.randomScalar(in: SecretBytes(capacity: Scalar.byteCount))
        return try TrustAuthority(master: master)
    }

    /// Lends the master secret, so that it can be sealed and stored.
    package borrowing func withMaster<R: ~Copyable, E: Error>(
        _ body: (borrowing SecretBytes) throws(E) -> R
    ) throws(E) -> R {
        try body(master)
    }

    /// This authority's half of the server secret: s Q, 128 bytes.
    package borrowing func serverShare() throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        return try multipliedGenerator()
    }

    /// Whether the master secret is kept out of swap.
    package var isLocked: Bool { master.isLocked }

    /// This authority's half of a client secret: s H(ID), 65 bytes.
    ///
    /// - Parameter hashedID: SHA-256 of the M-Pin ID, 32 bytes.
    /// - Throws: ``CryptoError/invalidPoint`` for a hash of another length; ``CryptoError/memoryUnavailable``.
    package borrowing func clientShare(hashedID: [UInt8]) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        guard hashedID.count == Hash.byteCount else { throw .invalidPoint }
        return try multiplied(G1(mapping: hashedID.span))
    }

    /// This authority's half of a time permit: s H(day | H(ID)), 65 bytes.
    ///
    /// - Parameter hashedID: SHA-256 of the M-Pin ID, 32 bytes.
    /// - Throws: ``CryptoError/invalidPoint`` for a hash of another length; ``CryptoError/memoryUnavailable``;
    ///   ``CryptoError/libraryUnavailable``.
    package borrowing func permitShare(hashedID: [UInt8], day: PermitDay) throws(CryptoError) -> SecretBytes {
        defer { mpin_wipe_stack() }
        guard hashedID.count == Hash.byteCount else { throw .invalidPoint }
        let digest = try day.hash(hashedID: hashedID)
        return try multiplied(G1(mapping: digest.span))
    }

    @inline(never)
    private static func check(_ master: borrowing SecretBytes) throws(CryptoError) {
        guard master.count == Scalar.byteCount else { throw .invalidScalar }
        try demand(master.withBytes { bytes in Scalar.isCanonical(bytes) }, else: .invalidScalar)
    }

    @inline(never)
    private borrowing func multiplied(_ point: G1) throws(CryptoError) -> SecretBytes {
        try SecretBytes.encoding(point.multiplied(by: try master.scalar()))
    }

    @inline(never)
    private borrowing func multipliedGenerator() throws(CryptoError) -> SecretBytes {
        try SecretBytes.encoding(G2.generator.multiplied(by: try master.scalar()))
    }
}
