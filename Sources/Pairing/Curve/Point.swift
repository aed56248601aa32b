// SPDX-License-Identifier: Apache-2.0

/// A point in projective coordinates: (X/Z, Y/Z), and infinity if Z is 0.
///
/// The formulas are complete: they are valid for every pair of points, including infinity and equal points, and so need
/// no branches (Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves", 2016, for a =
/// 0). They are also valid on the twist, whose order is odd.
struct Point<C: Curve>: Sendable {
    typealias F = C.Coordinate
    var x: F
    var y: F
    var z: F

    @inline(__always)
    init(x: F, y: F, z: F) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    static var infinity: Point { Point(x: .zero, y: .one, z: .zero) }

    var isInfinity: Mask { z.isZero }

    /// Algorithm 7 of the paper, its sums of products calculated as such.
    @inline(never)
    static func + (a: Point, b: Point) -> Point {
        let xx = a.x * b.x
        let yy = a.y * b.y
        let zz = C.timesThreeB(a.z * b.z)
        let xy = F.dot(a.x, b.y, a.y, b.x)
        let yz = F.dot(a.y, b.z, a.z, b.y)
        let xz = C.timesThreeB(F.dot(a.x, b.z, a.z, b.x))
        let plus = yy + zz
        let minus = yy - zz
        let triple = xx.tripled
        return Point(x: F.dot(xy, minus, -yz, xz), y: F.dot(plus, minus, triple, xz), z: F.dot(yz, plus, triple, xy))
    }

    /// Algorithm 9 of the paper.
    @inline(never)
    var doubled: Point {
        let yy = y.squared
        let zz = C.timesThreeB(z.squared)
        let eight = yy.doubled.doubled.doubled
        let minus = yy - zz.tripled
        return Point(x: (x * y * minus).doubled, y: F.dot(minus, yy + zz, eight, zz), z: eight * (y * z))
    }

    static prefix func - (a: Point) -> Point { Point(x: a.x, y: -a.y, z: a.z) }

    #if hasFeature(Embedded)
    @inline(never)
    #else
    @inline(__always)
    #endif
    static func select(_ mask: Mask, _ a: Point, _ b: Point) -> Point {
        Point(x: F.select(mask, a.x, b.x), y: F.select(mask, a.y, b.y), z: F.select(mask, a.z, b.z))
    }

    /// (X/Z, Y/Z); (0, 0) for infinity.
    var affine: (x: F, y: F) {
        let inverse = z.inverse
        return (x * inverse, y * inverse)
    }

    /// Set if these coordinates fulfill y^2 = x^3 + b.
    static func isOnCurve(x: F, y: F) -> Mask { y.squared.equals(x.squared * x + C.constant) }

    func equals(_ other: Point) -> Mask {
        let same = (x * other.z).equals(other.x * z) & (y * other.z).equals(other.y * z)
        return (same & !isInfinity & !other.isInfinity) | (isInfinity & other.isInfinity)
    }

    /// |k| P for a public number, by double and add.
    func multiplied(byPublic k: UInt64) -> Point {
        var result = Point.infinity
        for index in (0..<64).reversed() {
            result = result.doubled
            if (k >> UInt64(index)) & 1 == 1 { result = result + self }
        }
        return result
    }
}

extension Point {
    /// k P for a secret scalar: 64 signed digits of four bits, each from -8 to 7.
    ///
    /// The digits are those of k + 0x88...8, minus 8. As k is below r, the sum fits in 256 bits.
    func multiplied(by k: Scalar) -> Point {
        let eights: UInt64 = 0x8888_8888_8888_8888
        return multiplied(digits: k.limbs.adding(Limbs(eights, eights, eights, eights)).sum, count: 64)
    }

    /// k P for a secret number below 2^22: six digits, which make numbers up to 0x777777.
    func multiplied(byShort k: Scalar) -> Point {
        // In the highest bits, where the digits are taken from.
        multiplied(digits: Limbs(0, 0, 0, (k.limbs.l0 &+ 0x88_8888) << 40), count: 6)
    }

    @inline(never)
    private func multiplied(digits: Limbs, count: Int) -> Point {
        let table = Multiples(of: self)
        var digits = digits
        var result = table.multiple(digits.takeTopFourBits(), negated: .clear)
        for _ in 1..<count {
            result = result.doubled.doubled.doubled.doubled
            result = result + table.multiple(digits.takeTopFourBits(), negated: .clear)
        }
        return result
    }
}
