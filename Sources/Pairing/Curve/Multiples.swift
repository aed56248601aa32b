// SPDX-License-Identifier: Apache-2.0

/// P, 2P, ..., 8P: the table of a multiplication with signed digits of four bits.
struct Multiples<C: Curve> {
    private let p1, p2, p3, p4, p5, p6, p7, p8: Point<C>

    init(of point: Point<C>) {
        p1 = point
        p2 = p1.doubled
        p3 = p2 + p1
        p4 = p2.doubled
        p5 = p4 + p1
        p6 = p3.doubled
        p7 = p6 + p1
        p8 = p4.doubled
    }

    private init(_ other: Multiples, _ map: (Point<C>) -> Point<C>) {
        p1 = map(other.p1)
        p2 = map(other.p2)
        p3 = map(other.p3)
        p4 = map(other.p4)
        p5 = map(other.p5)
        p6 = map(other.p6)
        p7 = map(other.p7)
        p8 = map(other.p8)
    }

    /// The multiples of the image of P under an endomorphism.
    func mapped(_ map: (Point<C>) -> Point<C>) -> Multiples { Multiples(self, map) }

    /// (digit - 8) P for a digit from 0 to 15; negated if the mask is set.
    ///
    /// Reads the whole table and selects with masks.
    @inline(never)
    func multiple(_ digit: UInt64, negated: Mask) -> Point<C> {
        let value = digit &- 8
        let sign = 0 &- (value >> 63)
        let magnitude = (value ^ sign) &- sign
        var result = Point<C>.infinity
        result = Point.select(Mask(zero: magnitude ^ 1), p1, result)
        result = Point.select(Mask(zero: magnitude ^ 2), p2, result)
        result = Point.select(Mask(zero: magnitude ^ 3), p3, result)
        result = Point.select(Mask(zero: magnitude ^ 4), p4, result)
        result = Point.select(Mask(zero: magnitude ^ 5), p5, result)
        result = Point.select(Mask(zero: magnitude ^ 6), p6, result)
        result = Point.select(Mask(zero: magnitude ^ 7), p7, result)
        result = Point.select(Mask(zero: magnitude ^ 8), p8, result)
        let isNegative = Mask(bit: (sign & 1) ^ (negated.bits & 1))
        result.y = C.Coordinate.select(isNegative, -result.y, result.y)
        return result
    }
}
