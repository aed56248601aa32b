// SPDX-License-Identifier: Apache-2.0
extension Field {
    /// 1/a; 0 for 0.
    ///
    /// 590 division steps in ten batches, enough for every number of 256 bits. The pair (d, e) follows (f, g) so that
    /// d a = f and e a = g modulo p; at the end g is 0, f is 1 or -1, and d is 1/a except for the sign.
    @inline(never)
    package var inverse: Field {
        let modulus = Signed62(M.limbs)
        let inverse62 = Int64(bitPattern: 0 &- M.negativeInverse)
        var d = Signed62(0, 0, 0, 0, 0)
        var e = Signed62(1, 0, 0, 0, 0)
        var f = modulus
        var g = Signed62(limbs)
        var zeta: Int64 = -1
        for _ in 0..<10 {
            let t = DivisionSteps(zeta: &zeta, f: f.l0, g: g.l0)
            (d, e) = (
                Field.next(t.u, d, t.v, e, modulus, inverse62), Field.next(t.q, d, t.r, e, modulus, inverse62)
            )
            (f, g) = (
                Signed62.combined(t.u, f, t.v, g, 0, modulus), Signed62.combined(t.q, f, t.r, g, 0, modulus)
            )
        }
        // d is above -2p and below p.
        d.add(modulus, where: d.sign)
        d.negate(where: f.sign)
        d.carry()
        d.add(modulus, where: d.sign)
        d.carry()
        // The inverted number is a 2^256: two factors of 2^512 turn 1 / (a 2^256) into 2^256 / a.
        let square = M.montgomerySquare
        return Field(d.limbs) * Field(montgomery: Limbs(square.0, square.1, square.2, square.3))
    }

    /// (u d + v e) / 2^62 modulo p, above -2p and below p: a multiple of p is added that clears the lowest 62 bits.
    @inline(__always)
    private static func next(
        _ u: Int64, _ d: Signed62, _ v: Int64, _ e: Signed62, _ modulus: Signed62, _ inverse62: Int64
    ) -> Signed62 {
        // Adding one p for each of d and e that is negative keeps the result in its range.
        var multiple = (u & d.sign) &+ (v & e.sign)
        let low = u &* d.l0 &+ v &* e.l0
        multiple &-= (inverse62 &* low &+ multiple) & Signed62.mask
        return Signed62.combined(u, d, v, e, multiple, modulus)
    }
}
