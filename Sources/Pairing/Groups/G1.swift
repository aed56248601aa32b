// SPDX-License-Identifier: Apache-2.0

/// A point of G1 = E(Fp). The cofactor is 1: every point on the curve is in the group.
package struct G1: Sendable {
    let point: Point<G1Curve>

    /// The length of an encoding, in bytes.
    package static let byteCount = 65

    init(_ point: Point<G1Curve>) {
        self.point = point
    }

    /// Set for infinity, which has no encoding.
    package var isInfinity: Mask { point.isInfinity }

    package static func + (a: G1, b: G1) -> G1 { G1(a.point + b.point) }
    package static prefix func - (a: G1) -> G1 { G1(-a.point) }

    /// k P, in a time that depends on neither.
    package func multiplied(by k: Scalar) -> G1 { G1(point.multipliedBySplit(k)) }

    /// k P for a k below 2^22, in a time that depends on neither.
    package func multiplied(byShort k: Scalar) -> G1 { G1(point.multiplied(byShort: k)) }

    /// Set if both are the same point.
    package func equals(_ other: G1) -> Mask { point.equals(other.point) }
}
