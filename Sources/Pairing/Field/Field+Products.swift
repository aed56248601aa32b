// SPDX-License-Identifier: Apache-2.0

// Montgomery products row by row (CIOS of Koc, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication algorithms",
// 1996): after each row a multiple of p is added that clears the lowest limb, which is then dropped.
//
// With S the sum of the first factors, the sum is below S + p after each row: before a row is divided by 2^64 it is below
// S + p + (2^64 - 1)(S + p). So S + p may not be above 2^256, which is more than 7p. A sum of products T comes out below
// T / 2^256 + p; with T < 2^256 p that is below 2p, and one subtraction is enough. First and second factors below 2p and p,
// or products whose bounds make at most 7 p^2 together, are so allowed.

extension Field {
    /// a b, for factors whose bounds make at most 7 p^2.
    @inline(never)
    package static func * (a: Field, b: Field) -> Field {
        Field(montgomery: product(a, b).reducedOnce(by: M.limbs))
    }

    /// a b, not reduced: below 2p for factors below 2p. For a chain of products.
    @inline(never)
    func unreducedProduct(_ b: Field) -> Field { Field(montgomery: Field.product(self, b)) }

    #if hasFeature(Embedded)
    @inline(never)
    #else
    @inline(__always)
    #endif
    private static func product(_ a: Field, _ b: Field) -> Limbs {
        var sum = RowSum(a.limbs, b.limbs.l0)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l1)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l2)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l3)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        return sum.limbs
    }

    package var squared: Field { self * self }

    /// a b + c d, for factors whose bounds make at most 7 p^2, and those of a and c 6p.
    @inline(never)
    static func dot(_ a: Field, _ b: Field, _ c: Field, _ d: Field) -> Field {
        var sum = RowSum(a.limbs, b.limbs.l0)
        sum.add(c.limbs, d.limbs.l0)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l1)
        sum.add(c.limbs, d.limbs.l1)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l2)
        sum.add(c.limbs, d.limbs.l2)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        sum.add(a.limbs, b.limbs.l3)
        sum.add(c.limbs, d.limbs.l3)
        sum.divide(modulo: M.limbs, M.negativeInverse)
        return Field(montgomery: sum.limbs.reducedOnce(by: M.limbs))
    }

    /// T / 2^256 for a sum of products T, which is signed (modulo 2^512): at least -3 * 2^256 p, below 3 * 2^256 p.
    ///
    /// Sums are reduced once, and not each product (Aranha, Karabina, Longa, Gebotys, Lopez, "Faster explicit formulas for
    /// computing pairings over ordinary curves", 2011).
    @inline(never)
    package init(reducing sum: WideLimbs) {
        var low = RowSum(sum.low)
        low.divide(modulo: M.limbs, M.negativeInverse)
        low.divide(modulo: M.limbs, M.negativeInverse)
        low.divide(modulo: M.limbs, M.negativeInverse)
        low.divide(modulo: M.limbs, M.negativeInverse)
        self.init(low: low.limbs, high: sum.high)
    }

    @inline(__always)
    private init(low: Limbs, high: Limbs) {
        let p = M.limbs
        // 0 to p from the lower half, and the upper half is from -3p to 3p - 1: together with 3p it is from 0 to 7p - 1.
        let p3 = p.adding(p).sum.adding(p).sum
        let number = low.adding(p3).sum.adding(high).sum
        // p is a little more than 9 * 2^250. With t the number's six highest bits, k = t / 9 rounded down and t <= 9k + 8, the
        // number less k p is below p; and it may be a little below 0. 57 t / 512, rounded down, is k for all t below 64.
        let multiple = RowSum(p, ((number.l3 >> 58) &* 57) >> 9).limbs
        let (difference, borrow) = number.subtracting(multiple)
        self.init(montgomery: difference.adding(p.masked(0 &- borrow)).sum)
    }
}
