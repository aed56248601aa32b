// SPDX-License-Identifier: Apache-2.0

/// An element of the cyclotomic subgroup by two of its three coordinates: x + y w + z w^2 over Fp4 without x, which the
/// others determine (Karabina, "Squaring in cyclotomic subgroups", 2013). Squaring it takes two squarings in Fp4, not three.
struct CompressedSquare {
    /// y = y0 + y1 s with s = w^3.
    let y: (Fp2, Fp2)
    let z: (Fp2, Fp2)

    @inline(__always)
    private init(y: (Fp2, Fp2), z: (Fp2, Fp2)) {
        self.y = y
        self.z = z
    }

    init(_ a: Fp12) {
        y = (a.c1.c0, a.c0.c2)
        z = (a.c0.c1, a.c1.c2)
    }

    /// (3 s z^2 + 2 y') w + (3 y^2 - 2 z') w^2, as in ``Fp12/cyclotomicSquared``.
    @inline(never)
    var squared: CompressedSquare {
        let (g2, g5) = Fp12.square4(y.0, y.1)
        let (g4, g1) = Fp12.square4(z.0, z.1)
        // The triple of this, plus 2 y0, would exceed the range of one reduction.
        let s = g1.timesXi.reduced
        return CompressedSquare(
            y: ((s + y.0).doubled + s, Fp12.tripled(g4, minusTwice: y.1)),
            z: (Fp12.tripled(g2, minusTwice: z.0), Fp12.tripled(g5, plusTwice: z.1)))
    }

    /// The whole element.
    ///
    /// In the cyclotomic subgroup a^(p^4) a = a^(p^2). The p^2-power map changes the sign of s, which ' stands for, and
    /// multiplies w by a sixth root of unity, so the coefficients of w^2 in that equation say y^2 - x z = z', and
    /// x = (y^2 - z') / z. Only for the element 1 is z = 0: then y = 0 as well, the coefficients of 1 say x^2 = x', so that
    /// x^4 = x, and of the third roots of unity, which are in Fp, 1 alone fulfills x^2 = x.
    @inline(never)
    var element: Fp12 {
        // 1 / z = z' / (z0^2 - xi z1^2), where only 0 has the norm 0.
        let norm = (Fp2Product(squareOf: z.0) - Fp2Product(squareOf: z.1).timesXi).reduced
        let inverse = norm.inverse
        let (a, b) = (z.0 * inverse, -(z.1 * inverse))
        let c = (Fp2Product(squareOf: y.0) + Fp2Product(squareOf: y.1).timesXi - z.0).reduced
        let d = (Fp2Product(y.0.plus(y.0), y.1) + z.1).reduced
        // (c + d s)(a + b s).
        let x0 = (Fp2Product(c, a) + Fp2Product(d, b).timesXi).reduced
        let x1 = Fp2.dot(c, b, d, a)
        let isOne = norm.isZero
        return Fp12(Fp6(Fp2.select(isOne, .one, x0), z.0, y.1), Fp6(y.0, Fp2.select(isOne, .zero, x1), z.1))
    }
}
