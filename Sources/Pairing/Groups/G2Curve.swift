// SPDX-License-Identifier: Apache-2.0

/// E'(Fp2): y^2 = x^3 + 2/xi = x^3 + (1 - i), the D-type sextic twist, of order r (2p - r).
enum G2Curve: Curve {
    static var constant: Fp2 { Fp2(.one, -.one) }

    /// 3 (1 - i) a = 3 (a0 + a1) + 3 (a1 - a0) i.
    @inline(__always)
    static func timesThreeB(_ a: Fp2) -> Fp2 { Fp2((a.re + a.im).tripled, (a.im - a.re).tripled) }
}
