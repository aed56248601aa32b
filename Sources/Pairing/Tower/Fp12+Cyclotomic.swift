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
    package var cyclotomicSquared: Fp12 {
        let (g0, g3) = Fp12.tripledSquare(c0.c0, c1.c1)
        let (g2, g5) = Fp12.tripledSquare(c1.c0, c0.c2)
        let (g4, s) = Fp12.tripledSquare(c0.c1, c1.c2)
        return Fp12(
            Fp6((g0 - c0.c0 - c0.c0).reduced, (g2 - c0.c1 - c0.c1).reduced, (g4 - c0.c2 - c0.c2).reduced),
            Fp6((s.timesXi + c1.c0 + c1.c0).reduced, (g3 + c1.c1 + c1.c1).reduced, (g5 + c1.c2 + c1.c2).reduced))
    }

    /// 3 (a + b s)^2 = 3 (a^2 + xi b^2) + 3 ((a + b)^2 - a^2 - b^2) s in Fp4.
    @inline(never)
    private static func tripledSquare(_ a: Fp2, _ b: Fp2) -> (Fp2Product, Fp2Product) {
        let aa = Fp2Product(squareOf: a)
        let bb = Fp2Product(squareOf: b)
        return ((aa + bb.timesXi).tripled, (Fp2Product(squareOf: a + b) - aa - bb).tripled)
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
