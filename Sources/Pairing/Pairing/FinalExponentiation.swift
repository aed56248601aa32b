// SPDX-License-Identifier: Apache-2.0
extension Fp12 {
    /// a^((p^12 - 1) / r).
    var finalPower: Fp12 { easyPower.hardPower }

    /// a^((p^6 - 1)(p^2 + 1)): an element of the cyclotomic subgroup, whose order p^4 - p^2 + 1 is what remains of p^12
    /// - 1. This is the only way into that subgroup.
    private var easyPower: Fp12 {
        let f = conjugate * inverse
        return f.frobenius.frobenius * f
    }

    /// a^((p^4 - p^2 + 1) / r), exactly once, for an element of the cyclotomic subgroup (Scott, Benger, Charlemagne,
    /// Dominguez Perez, Kachisa, "On the final exponentiation for calculating pairings on ordinary elliptic curves", 2009).
    ///
    /// The exponent is p^3 + (6u^2 + 1) p^2 + (-36u^3 - 18u^2 - 12u + 1) p + (-36u^3 - 30u^2 - 18u - 2), so the result
    /// is y0 y1^2 y2^6 y3^12 y4^18 y5^30 y6^36, for which there is a chain of nine products and four squarings.
    private var hardPower: Fp12 {
        // u is negative, and the conjugate is the inverse.
        let fu = raisedToAbsoluteU.conjugate
        let fu2 = fu.raisedToAbsoluteU.conjugate
        let fu3 = fu2.raisedToAbsoluteU.conjugate
        let fp = frobenius
        let fp2 = fp.frobenius
        let y0 = fp * fp2 * fp2.frobenius
        let y1 = conjugate
        let y2 = fu2.frobenius.frobenius
        let y3 = fu.frobenius.conjugate
        let y4 = (fu * fu2.frobenius).conjugate
        let y5 = fu2.conjugate
        let y6 = (fu3 * fu3.frobenius).conjugate
        var t0 = y6.cyclotomicSquared * y4 * y5
        var t1 = y3 * y5 * t0
        t0 = t0 * y2
        t1 = (t1.cyclotomicSquared * t0).cyclotomicSquared
        t0 = t1 * y1
        t1 = t1 * y0
        return t0.cyclotomicSquared * t1
    }
}
