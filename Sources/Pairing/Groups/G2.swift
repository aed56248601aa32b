// SPDX-License-Identifier: Apache-2.0

/// A point of the twist E'(Fp2), of which G2 is the subgroup of order r.
package struct G2: Sendable {
    let point: Point<G2Curve>

    package static let byteCount = 128

    init(_ point: Point<G2Curve>) { self.point = point }

    /// Q, the fixed point of M-Pin.
    package static var generator: G2 {
        G2(
            Point(
                x: Fp2(
                    number(0x6AAD_9091_388F_6576, 0xB5C8_B4AD_F6BE_B204, 0xBB79_D0E8_92A3_5C0D, 0x09EF_3698_4784_3C3D),
                    number(0x3306_4BBD_0B7C_86D5, 0x122F_497B_6B07_45DD, 0x8687_4A99_B8AD_23CD, 0x1A80_2142_ABA5_644A)),
                y: Fp2(
                    number(0xE497_2C6F_F85D_EA45, 0xD3FE_0C82_233B_38EB, 0x142F_84ED_4040_6B83, 0x0EDE_2F7A_76B1_FD05),
                    number(0x9067_BB92_DEC3_9ECD, 0xA45B_0506_2E08_54E4, 0x5803_F968_6275_535C, 0x0780_2067_7AA4_3D35)),
                z: .one))
    }

    /// A number in Montgomery form.
    private static func number(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) -> Fp {
        Fp(montgomery: Limbs(l0, l1, l2, l3))
    }

    /// Set for infinity, which has no encoding.
    package var isInfinity: Mask { point.isInfinity }

    package static func + (a: G2, b: G2) -> G2 { G2(a.point + b.point) }
    package static prefix func - (a: G2) -> G2 { G2(-a.point) }

    /// k P, in a time that depends on neither. For points outside the subgroup, k is not reduced by their order.
    package func multiplied(by k: Scalar) -> G2 { G2(point.multiplied(by: k)) }

    package func equals(_ other: G2) -> Mask { point.equals(other.point) }
}

/// E'(Fp2): y^2 = x^3 + 2/xi = x^3 + (1 - i), the D-type sextic twist, of order r (2p - r).
enum G2Curve: Curve {
    static var constant: Fp2 { Fp2(.one, -.one) }

    /// 3 (1 - i) a = 3 (a0 + a1) + 3 (a1 - a0) i.
    @inline(__always)
    static func timesThreeB(_ a: Fp2) -> Fp2 { Fp2((a.re + a.im).tripled, (a.im - a.re).tripled) }
}

extension Point<G2Curve> {
    /// psi(x, y) = (conj(x) f^2, conj(y) f^3): untwist, Frobenius, twist. On G2 this is multiplication by p.
    var psi: Point { Point(x: x.conjugate * Frobenius.power2, y: y.conjugate * Frobenius.power3, z: z.conjugate) }
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

extension G2 {
    /// The point of 128 bytes: x.re, x.im, y.re, y.im, big-endian, without a prefix.
    ///
    /// - Returns: the point, and a mask that is set if the bytes were the encoding of a point of the twist: length
    ///   right, coordinates below p, on the twist. Use ``isInSubgroup`` to check whether it is in G2.
    package static func decode(_ bytes: Span<UInt8>) -> (point: G2, valid: Mask) {
        guard bytes.count == byteCount else { return (G2(.infinity), .clear) }
        let parts = (
            Fp.decode(bytes, at: 0), Fp.decode(bytes, at: 32), Fp.decode(bytes, at: 64), Fp.decode(bytes, at: 96)
        )
        let x = Fp2(parts.0.element, parts.1.element)
        let y = Fp2(parts.2.element, parts.3.element)
        let valid = parts.0.valid & parts.1.valid & parts.2.valid & parts.3.valid & Point<G2Curve>.isOnCurve(x: x, y: y)
        return (G2(Point(x: x, y: y, z: .one)), valid)
    }

    /// Writes the 128 bytes of the point.
    ///
    /// - Parameter bytes: room for 128 bytes.
    /// - Returns: a mask that is clear for infinity; the bytes are meaningless then.
    package func encode(into bytes: inout MutableSpan<UInt8>) -> Mask {
        guard bytes.count == G2.byteCount else { return .clear }
        let (x, y) = point.affine
        x.re.encode(into: &bytes, at: 0)
        x.im.encode(into: &bytes, at: 32)
        y.re.encode(into: &bytes, at: 64)
        y.im.encode(into: &bytes, at: 96)
        return !isInfinity
    }
}
