// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// Checks of received bytes.
package enum PointCheck {
    /// Whether these are the 65 bytes of a G1 point: first byte 04, coordinates below p, on the curve.
    package static func isG1(_ bytes: [UInt8]) -> Bool {
        G1.decode(bytes.span).valid.isSet
    }

    /// Whether these are 32 bytes of a number from 1 to r - 1.
    package static func isScalar(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == Scalar.byteCount else { return false }
        return Scalar.isCanonical(bytes.span).isSet
    }
}
