// SPDX-License-Identifier: Apache-2.0

/// E(Fp): y^2 = x^3 + 2, of prime order r.
enum G1Curve: Curve {
    static var constant: Fp { Fp.one.doubled }

    @inline(__always)
    static func timesThreeB(_ a: Fp) -> Fp { a.tripled.doubled }
}
