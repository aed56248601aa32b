// SPDX-License-Identifier: Apache-2.0

/// A point of G1 = E(Fp). The cofactor is 1: every point on the curve is in the group.
package struct G1: Sendable {
    let point: Point<G1Curve>

    package static let byteCount = 65

    init(_ point: Point<G1Curve>) { self.point = point }

    /// Set for infinity, which has no encoding.
    package var isInfinity: Mask { point.isInfinity }

    package static func + (a: G1, b: G1) -> G1 { G1(a.point + b.point) }
    package static prefix func - (a: G1) -> G1 { G1(-a.point) }

    /// k P, in a time that depends on neither.
    package func multiplied(by k: Scalar) -> G1 { G1(point.multipliedBySplit(k)) }

    /// k P for a k below 2^22, in a time that depends on neither.
    package func multiplied(byShort k: Scalar) -> G1 { G1(point.multiplied(byShort: k)) }

    package func equals(_ other: G1) -> Mask { point.equals(other.point) }
}

/// E(Fp): y^2 = x^3 + 2, of prime order r.
enum G1Curve: Curve {
    static var constant: Fp { Fp.one.doubled }

    @inline(__always)
    static func timesThreeB(_ a: Fp) -> Fp { a.tripled.doubled }
}

extension G1 {
    /// The point of a digest of 32 bytes: the first x from the digest modulo p on for which x^3 + 2 is a square other
    /// than 0, with the even one of the two roots. Infinity for another length, which the caller has to check.
    ///
    /// The time depends on the digest, which is public.
    @inline(never)
    package init(mapping digest: Span<UInt8>) {
        guard digest.count == 32 else {
            self.init(.infinity)
            return
        }
        var x = Fp(reducing: digest)
        while true {
            let square = x.squared * x + G1Curve.constant
            let root = square.squareRootOfSquare
            if (root.squared.equals(square) & !square.isZero).isSet {
                let y = Fp.select(root.isOdd, -root, root)
                self.init(Point(x: x, y: y, z: .one))
                return
            }
            x = x + .one
        }
    }
}

extension G1 {
    /// The point of 65 bytes: 04, x, y, big-endian.
    ///
    /// - Returns: the point, and a mask that is set if the bytes were the encoding of a point: length and first byte
    ///   right, coordinates below p, on the curve. Otherwise the point is meaningless.
    @inline(never)
    package static func decode(_ bytes: Span<UInt8>) -> (point: G1, valid: Mask) {
        guard bytes.count == byteCount else { return (G1(.infinity), .clear) }
        let x = Fp.decode(bytes, at: 1)
        let y = Fp.decode(bytes, at: 33)
        let valid =
            Mask(zero: UInt64(bytes[0]) ^ 4) & x.valid & y.valid & Point<G1Curve>.isOnCurve(x: x.element, y: y.element)
        return (G1(Point(x: x.element, y: y.element, z: .one)), valid)
    }

    /// Writes the 65 bytes of the point.
    ///
    /// - Parameter bytes: room for 65 bytes.
    /// - Returns: a mask that is clear for infinity; the bytes are meaningless then.
    @inline(never)
    package func encode(into bytes: inout MutableSpan<UInt8>) -> Mask {
        guard bytes.count == G1.byteCount else { return .clear }
        let (x, y) = point.affine
        bytes[0] = 4
        x.encode(into: &bytes, at: 1)
        y.encode(into: &bytes, at: 33)
        return !isInfinity
    }
}
