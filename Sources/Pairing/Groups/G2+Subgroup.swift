// SPDX-License-Identifier: Apache-2.0
extension Point<G2Curve> {
    /// psi(x, y) = (conj(x) f^2, conj(y) f^3): untwist, Frobenius, twist. On G2 this is multiplication by p.
    var psi: Point {
        Point(x: x.conjugate * Frobenius.power2, y: y.conjugate * Frobenius.power3, z: z.conjugate)
    }
}

extension G2 {
    /// Whether a point of the twist is in G2, the subgroup of order r.
    ///
    /// By [u+1]P + psi([u]P) + psi^2([u]P) = psi^3([2u]P) (Dai, Lin, Zhao, Zhou, "Fast subgroup membership testings for
    /// G1, G2 and GT on pairing-friendly curves", 2022): the norm of that expression and the order of the twist have no
    /// common divisor except r. The time depends on the point, which is public.
    package var isInSubgroup: Bool {
        guard !isInfinity.isSet else { return true }
        let multiple = -point.multiplied(byPublic: 0x4000_0000_03C0_12B1)
        let image = multiple.psi
        let left = multiple + point + image + image.psi
        let right = multiple.doubled.psi.psi.psi
        return left.equals(right).isSet
    }
}
