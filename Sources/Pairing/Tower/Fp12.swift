// SPDX-License-Identifier: Apache-2.0

/// Fp12 = Fp6[w] / (w^2 - v), so that w^6 = xi.
package struct Fp12: Sendable {
    package var c0: Fp6
    package var c1: Fp6

    @inline(__always)
    package init(_ c0: Fp6, _ c1: Fp6) {
        self.c0 = c0
        self.c1 = c1
    }

    package static var one: Fp12 { Fp12(.one, .zero) }

    package static func + (a: Fp12, b: Fp12) -> Fp12 { Fp12(a.c0 + b.c0, a.c1 + b.c1) }
    package static func - (a: Fp12, b: Fp12) -> Fp12 { Fp12(a.c0 - b.c0, a.c1 - b.c1) }

    /// a0 b0 + v a1 b1 + ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) w (Karatsuba).
    ///
    /// The sums of products are within -18 and 17 (the first with c0 of the second, the last with c0).
    @inline(never)
    package static func * (a: Fp12, b: Fp12) -> Fp12 {
        let low = Fp6Product(a.c0, b.c0)
        let high = Fp6Product(a.c1, b.c1)
        let both = Fp6Product(a.c0 + a.c1, b.c0 + b.c1)
        return Fp12((low + high.timesV).reduced, (both - low - high).reduced)
    }

    /// (a0 + a1)(a0 + v a1) - (1 + v) a0 a1 + 2 a0 a1 w: two products in Fp6.
    ///
    /// The sums of products are within -19 and 19 (the lowest coefficient of the first).
    @inline(never)
    package var squared: Fp12 {
        let product = Fp6Product(c0, c1)
        let sum = Fp6Product(c0 + c1, c0 + c1.timesV)
        return Fp12((sum - product - product.timesV).reduced, (product + product).reduced)
    }

    /// a0 - a1 w, which is a^(p^6): the inverse of elements of norm one, such as those of the cyclotomic subgroup.
    package var conjugate: Fp12 { Fp12(c0, -c1) }

    /// Conjugate over norm; 0 for 0.
    package var inverse: Fp12 {
        let norm = (c0 * c0 - (c1 * c1).timesV).inverse
        return Fp12(c0 * norm, -(c1 * norm))
    }

    package func equals(_ other: Fp12) -> Mask { c0.equals(other.c0) & c1.equals(other.c1) }
}

extension Fp12 {
    /// a^2 for an element of the cyclotomic subgroup, of order p^4 - p^2 + 1 (Granger and Scott, "Faster squaring in the
    /// cyclotomic subgroup of sixth degree extensions", 2010).
    ///
    /// Norm one, a^(p^6 + 1) = 1, is not enough: the formula also needs a^(p^4) a = a^(p^2), and silently gives a wrong
    /// result for elements without that property. The final exponentiation is the only caller, and its easy part puts
    /// every element into the subgroup. Elements from outside are never squared with this function.
    ///
    /// With a = x + y w + z w^2 over Fp4: (3 x^2 - 2 x') + (3 s z^2 + 2 y') w + (3 y^2 - 2 z') w^2, where ' changes the
    /// sign of s = w^3.
    @inline(never)
    package var cyclotomicSquared: Fp12 {
        let (g0, g3) = Fp12.square4(c0.c0, c1.c1)
        let rest = CompressedSquare(self).squared
        return Fp12(
            Fp6(Fp12.tripled(g0, minusTwice: c0.c0), rest.z.0, rest.y.1),
            Fp6(rest.y.0, Fp12.tripled(g3, plusTwice: c1.c1), rest.z.1))
    }

    /// (a + b s)^2 = (a^2 + xi b^2) + ((a + b)^2 - a^2 - b^2) s in Fp4.
    ///
    /// The first is re: -2 to 4, im: 0 to 6; the second, with a + b reduced, re and im: -4 to 2.
    @inline(never)
    static func square4(_ a: Fp2, _ b: Fp2) -> (Fp2Product, Fp2Product) {
        let aa = Fp2Product(squareOf: a)
        let bb = Fp2Product(squareOf: b)
        return (aa + bb.timesXi, Fp2Product(squareOf: a + b) - aa - bb)
    }

    /// 3 t - 2 c for the first of ``square4(_:_:)``: -20.3 to 18.
    @inline(__always)
    static func tripled(_ t: Fp2Product, minusTwice c: Fp2) -> Fp2 { (t.tripled - c - c).reduced }

    /// 3 t + 2 c for the second: -12 to 20.3.
    @inline(__always)
    static func tripled(_ t: Fp2Product, plusTwice c: Fp2) -> Fp2 { (t.tripled + c + c).reduced }

    /// a^|u| for an element of the cyclotomic subgroup, where |u| = 0x4000000003C012B1
    /// = 2^62 + 2^26 - 2^22 + 2^12 + 2^9 + 2^8 - 2^6 - 2^4 + 1.
    ///
    /// An inverse is a conjugate, so digits of -1 cost the same as digits of 1.
    @inline(never)
    var raisedToAbsoluteU: Fp12 {
        let inverse = conjugate
        var compressed = CompressedSquare(self)
        for _ in 26..<62 { compressed = compressed.squared }
        var result = compressed.element * self
        result = result.cyclotomicSquared(times: 26 - 22) * inverse
        result = result.cyclotomicSquared(times: 22 - 12) * self
        result = result.cyclotomicSquared(times: 12 - 9) * self
        result = result.cyclotomicSquared(times: 9 - 8) * self
        result = result.cyclotomicSquared(times: 8 - 6) * inverse
        result = result.cyclotomicSquared(times: 6 - 4) * inverse
        return result.cyclotomicSquared(times: 4) * self
    }

    private func cyclotomicSquared(times count: Int) -> Fp12 {
        var result = self
        for _ in 0..<count { result = result.cyclotomicSquared }
        return result
    }
}
