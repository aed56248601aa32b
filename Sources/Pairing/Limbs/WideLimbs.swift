// SPDX-License-Identifier: Apache-2.0

/// A number of 512 bits in eight limbs, the least significant first; sums and differences are modulo 2^512.
package struct WideLimbs: Sendable, BitwiseCopyable {
    var low: Limbs
    var high: Limbs

    @inline(__always)
    package init(low: Limbs, high: Limbs) {
        self.low = low
        self.high = high
    }

    /// a b, row by row.
    @inline(__always)
    init(_ a: Limbs, _ b: Limbs) {
        var sum = RowSum(a, b.l0)
        let l0 = sum.takeLowest()
        sum.add(a, b.l1)
        let l1 = sum.takeLowest()
        sum.add(a, b.l2)
        let l2 = sum.takeLowest()
        sum.add(a, b.l3)
        let l3 = sum.takeLowest()
        low = Limbs(l0, l1, l2, l3)
        high = sum.limbs
    }

    @inline(__always)
    static func + (a: WideLimbs, b: WideLimbs) -> WideLimbs {
        let (low, carry) = a.low.adding(b.low)
        return WideLimbs(low: low, high: a.high.adding(b.high, carryIn: carry).sum)
    }

    @inline(__always)
    static func - (a: WideLimbs, b: WideLimbs) -> WideLimbs {
        let (low, borrow) = a.low.subtracting(b.low)
        return WideLimbs(low: low, high: a.high.subtracting(b.high, borrowIn: borrow).difference)
    }

    @inline(__always)
    var tripled: WideLimbs { self + self + self }

    /// The sum with a 2^256.
    @inline(__always)
    func plusUpper(_ a: Limbs) -> WideLimbs { WideLimbs(low: low, high: high.adding(a).sum) }

    /// The difference with a 2^256.
    @inline(__always)
    func minusUpper(_ a: Limbs) -> WideLimbs { WideLimbs(low: low, high: high.subtracting(a).difference) }
}
