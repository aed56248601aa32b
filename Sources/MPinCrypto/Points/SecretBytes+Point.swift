// SPDX-License-Identifier: Apache-2.0
internal import Pairing

extension SecretBytes {
    /// The G1 point whose 65-byte encoding this is.
    ///
    /// - Throws: ``CryptoError/invalidPoint``.
    @inline(never)
    borrowing func point() throws(CryptoError) -> G1 {
        let parsed = withBytes { bytes in G1.decode(bytes) }
        try demand(parsed.valid, else: .invalidPoint)
        return parsed.point
    }

    /// The 65-byte encoding of a point.
    ///
    /// - Throws: ``CryptoError/infinity``, ``CryptoError/memoryUnavailable``.
    @inline(never)
    static func encoding(_ point: G1) throws(CryptoError) -> SecretBytes {
        var encoding = try SecretBytes(capacity: G1.byteCount)
        let finite = encoding.withMutableBytes(count: G1.byteCount) { bytes in point.encode(into: &bytes) }
        try demand(finite, else: .infinity)
        return encoding
    }
}
