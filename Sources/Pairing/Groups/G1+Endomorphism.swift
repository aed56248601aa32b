// SPDX-License-Identifier: Apache-2.0

/// k as k1 + k2 lambda modulo r with |k1|, |k2| < 2^127, where lambda P = (beta x, y).
///
/// Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic curves with efficient endomorphisms", 2001.
/// The lattice of all (a, b) with a + b lambda = 0 is spanned by (A, N) and (-N, B), with A = 6u^2 + 2u,
/// B = 6u^2 + 4u + 1, N = -(2u + 1) and A B + N^2 = r. So k = C1 A + C2 N for C1 = k B / r, C2 = k N / r. The whole
/// numbers c1, c2 next to these are calculated with reciprocals of 320 bits (Barrett 1986), and differ from them by less than
/// 1/2 + 2^-63. So |k1| = |k - c1 A - c2 N| and |k2| = |c2 B - c1 N| are below 3u^2 + 2^64.
///
/// For k = a + b lambda with a, b below 2^64 these are a and b: C1 and C2 are then nearer to whole numbers than 2^-60.
package struct SplitScalar {
    /// |k1|.
    package let k1: UInt128
    package let k1IsNegative: Mask
    /// |k2|.
    package let k2: UInt128
    package let k2IsNegative: Mask

    private static var a: UInt128 { 0x6000_0000_0B40_3812_8054_6349_1DB0_10E4 }
    private static var b: UInt128 { 0x6000_0000_0B40_3812_0054_6349_162F_EB83 }
    private static var n: UInt128 { 0x8000_0000_0780_2561 }
    /// B 2^320 / r, rounded down.
    private static var reciprocal1: Limbs {
        Limbs(0xAF92_989B_9042_310E, 0x3FEB_D450_B1AD_A3AC, 0xAAAA_AAAA_5AA9_1BEE, 2)
    }
    /// N 2^320 / r, rounded down.
    private static var reciprocal2: Limbs { Limbs(0x12C0_BAEA_254B_5749, 0x8E38_E38D_98E0_70C0, 3, 0) }

    package init(_ k: Scalar) {
        let c1 = SplitScalar.highProduct(k.limbs, SplitScalar.reciprocal1)
        let c2 = SplitScalar.highProduct(k.limbs, SplitScalar.reciprocal2)
        let low = UInt128(k.limbs.l0) | UInt128(k.limbs.l1) << 64
        (k1, k1IsNegative) = SplitScalar.magnitude(low &- c1 &* SplitScalar.a &- c2 &* SplitScalar.n)
        (k2, k2IsNegative) = SplitScalar.magnitude(c2 &* SplitScalar.b &- c1 &* SplitScalar.n)
    }

    private static func magnitude(_ signed: UInt128) -> (UInt128, isNegative: Mask) {
        let sign = 0 &- (signed >> 127)
        return ((signed ^ sign) &- sign, Mask(bit: UInt64(truncatingIfNeeded: signed >> 127)))
    }

    /// a b / 2^320, rounded to the nearest, modulo 2^128.
    private static func highProduct(_ a: Limbs, _ b: Limbs) -> UInt128 {
        let high = WideLimbs(a, b).high
        return (UInt128(high.l1) | UInt128(high.l2) << 64) &+ UInt128(high.l0 >> 63)
    }
}

extension Point<G1Curve> {
    /// (beta x, y), which is lambda P.
    @inline(never)
    var endomorphism: Point {
        let beta = Fp(
            montgomery: Limbs(
                0x9E80_B02C_547A_21ED, 0xBD8E_1496_4E3E_4AD2, 0xF9D7_766D_4E4A_00A9, 0x0638_A276_74DA_45ED))
        return Point(x: x * beta, y: y, z: z)
    }

    /// k P for a secret scalar, as k1 P + k2 lambda P: 32 signed digits of four bits for each half.
    ///
    /// The halves are hardly above 3u^2, which is 3/16 of 2^128, so adding 0x88...8 keeps them within 128 bits.
    @inline(never)
    func multipliedBySplit(_ k: Scalar) -> Point {
        let split = SplitScalar(k)
        let table = Multiples(of: self)
        let mapped = table.mapped { $0.endomorphism }
        let eights: UInt128 = 0x8888_8888_8888_8888_8888_8888_8888_8888
        var digits1 = split.k1 &+ eights
        var digits2 = split.k2 &+ eights
        var result = Point.infinity
        for window in 0..<32 {
            if window > 0 { result = result.doubled.doubled.doubled.doubled }
            result = result + table.multiple(UInt64(truncatingIfNeeded: digits1 >> 124), negated: split.k1IsNegative)
            result = result + mapped.multiple(UInt64(truncatingIfNeeded: digits2 >> 124), negated: split.k2IsNegative)
            digits1 <<= 4
            digits2 <<= 4
        }
        return result
    }
}
