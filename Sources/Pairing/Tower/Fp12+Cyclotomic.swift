extension Fp12 {
    /// a^2 for an element of the cyclotomic subgroup, of order p^4 - p^2 + 1 (Granger and Scott, "Faster squaring in the
    /// cyclotomic subgroup of sixth degree extensions", 2010).
    ///
    /// Norm one, a^(p^6 + 1) = 1, is not enough: the formula also needs a^(p^4) a = a^(p^2), and gives something else
    /// without a sign for elements that lack it. The final exponentiation is the one caller, and its easy part puts every
    /// element there; what came from outside is never squared by this.
    ///
    /// With a = x + y w + z w^2 over Fp4: (3 x^2 - 2 x') + (3 s z^2 + 2 y') w + (3 y^2 - 2 z') w^2, where ' changes the
    /// sign of s = w^3.
    @inline(never)
    var cyclotomicSquared: Fp12 {
        let x = Fp12.square4(c0.c0, c1.c1)
        let y = Fp12.square4(c1.c0, c0.c2)
        let z = Fp12.square4(c0.c1, c1.c2)
        let g0 = (x.0 - c0.c0).doubled + x.0
        let g3 = (x.1 + c1.c1).doubled + x.1
        let s = z.1.timesXi
        let g1 = (s + c1.c0).doubled + s
        let g4 = (z.0 - c0.c2).doubled + z.0
        let g2 = (y.0 - c0.c1).doubled + y.0
        let g5 = (y.1 + c1.c2).doubled + y.1
        return Fp12(Fp6(g0, g2, g4), Fp6(g1, g3, g5))
    }

    /// (a + b s)^2 = (a^2 + xi b^2) + 2 a b s in Fp4, each number a sum of products with one reduction.
    ///
    /// xi b^2 = (b0 + b1)(b0 - b1) - 2 b0 b1 + ((b0 + b1)(b0 - b1) + 2 b0 b1) i. Each factor that is not reduced is
    /// below 2p and stands beside one that is, so that three such products are no more than six of reduced numbers.
    @inline(__always)
    private static func square4(_ a: Fp2, _ b: Fp2) -> (Fp2, Fp2) {
        let sum = b.re.plus(b.im)
        let difference = b.re - b.im
        let twice = b.re.plus(b.re)
        let a0 = a.re.plus(a.re)
        let a1 = a.im.plus(a.im)
        return (
            Fp2(
                Fp.dot(a.re.plus(a.im), a.re - a.im, sum, difference, twice, b.im.opposite),
                Fp.dot(a0, a.im, sum, difference, twice, b.im)),
            Fp2(Fp.dot(a0, b.re, a1, b.im.opposite), Fp.dot(a0, b.im, a1, b.re))
        )
    }

    /// a^|u| for an element of the cyclotomic subgroup, where |u| = 0x4000000003C012B1
    /// = 2^62 + 2^26 - 2^22 + 2^12 + 2^9 + 2^8 - 2^6 - 2^4 + 1.
    ///
    /// The inverse is the conjugate, so digits of -1 cost what digits of 1 do.
    @inline(never)
    var raisedToAbsoluteU: Fp12 {
        let inverse = conjugate
        var result = self
        result = result.cyclotomicSquared(times: 62 - 26) * self
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
