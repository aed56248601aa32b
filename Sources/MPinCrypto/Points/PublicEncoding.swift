// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// Encoding and decoding of public points, in arrays.
enum PublicEncoding {
    /// The 65 bytes of a point. Throws ``CryptoError/infinity``.
    static func bytes(of point: G1) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: G1.byteCount)
        var span = bytes.mutableSpan
        let finite = point.encode(into: &span)
        try demand(finite, else: .infinity)
        return bytes
    }

    /// The point of 65 bytes. Throws ``CryptoError/invalidPoint``.
    static func g1(_ bytes: [UInt8]) throws(CryptoError) -> G1 {
        let parsed = G1.decode(bytes.span)
        guard parsed.valid.isSet else { throw .invalidPoint }
        return parsed.point
    }

    /// The number of 32 bytes modulo r. Throws ``CryptoError/invalidScalar`` for another length.
    static func scalar(_ bytes: [UInt8]) throws(CryptoError) -> Scalar {
        guard bytes.count == Scalar.byteCount else { throw .invalidScalar }
        return Scalar(reducing: bytes.span)
    }
}
