// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// Checks of received bytes.
package enum PointCheck {
    /// Whether these are the 65 bytes of a G1 point: first byte 04, coordinates below p, on the curve.
    package static func isG1(_ bytes: [UInt8]) -> Bool { G1.decode(bytes.span).valid.isSet }
}

/// Turns the outcome of a check on secret data into a thrown error.
///
/// This is the only place in the package where a value calculated from secrets decides what is done next: whether a
/// point is on the curve, a scalar is zero, a result is infinity, or a PIN consists of digits. The caller learns each
/// of these anyway, since it sees the error. All other code calculates on secrets without branches. The constant-time
/// test proves that, with this function as its only exception.
///
/// - Throws: `error` unless all bits of `condition` are set.
@inline(never)
func demand(_ condition: Mask, else error: CryptoError) throws(CryptoError) {
    if !condition.isSet { throw error }
}

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
