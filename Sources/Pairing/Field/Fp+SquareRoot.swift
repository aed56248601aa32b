// SPDX-License-Identifier: Apache-2.0
extension Field<BaseModulus> {
    /// a^((p + 1) / 4): a square root of a square, as p is 3 modulo 4.
    ///
    /// With v = |u| and h = (v - 1) / 2, which have few bits, (p + 1) / 4 = v (v (9 v 2h + 4) + 4h) + h + 1.
    var squareRootOfSquare: Fp {
        let toH = raised(to: 0x2000_0000_01E0_0958)
        let to2H = toH.squared
        let to18H = to2H.squared.squared.squared * to2H
        let inner = to18H.raisedToV * squared.squared
        let middle = inner.raisedToV * to2H.squared
        return middle.raisedToV * toH * self
    }

    private var raisedToV: Fp { raised(to: 0x4000_0000_03C0_12B1) }

    /// a^e for a public exponent other than 0: square and multiply, in a time that depends on the exponent alone.
    ///
    /// What is in between stays below 2p and is not reduced.
    @inline(never)
    private func raised(to exponent: UInt64) -> Fp {
        var result = self
        var bit = UInt64(1) << UInt64(63 - exponent.leadingZeroBitCount)
        while bit > 1 {
            bit >>= 1
            result = result.unreducedProduct(result)
            if exponent & bit != 0 { result = result.unreducedProduct(self) }
        }
        return result * .one
    }
}
