// SPDX-License-Identifier: Apache-2.0

/// Fp12 = Fp6[w] / (w^2 - v), so that w^6 = xi.
package struct Fp12: Sendable {
    package var c0: Fp6
    package var c1: Fp6

    @inline(__always)
    package init(_ c0: Fp6, _ c1: Fp6) {
        self.c0 = c0
        self.c1 = c1
    }

    package static var one: Fp12 { Fp12(.one, .zero) }

    package static func + (a: Fp12, b: Fp12) -> Fp12 { Fp12(a.c0 + b.c0, a.c1 + b.c1) }
    package static func - (a: Fp12, b: Fp12) -> Fp12 { Fp12(a.c0 - b.c0, a.c1 - b.c1) }

    /// a0 b0 + v a1 b1 + ((a0 + a1)(b0 + b1) - a0 b0 - a1 b1) w (Karatsuba).
    ///
    /// The sums of products are within -18 and 17 (the first with c0 of the second, the last with c0).
    @inline(never)
    package static func * (a: Fp12, b: Fp12) -> Fp12 {
        let low = Fp6Product(a.c0, b.c0)
        let high = Fp6Product(a.c1, b.c1)
        let both = Fp6Product(a.c0 + a.c1, b.c0 + b.c1)
        return Fp12((low + high.timesV).reduced, (both - low - high).reduced)
    }

    /// (a0 + a1)(a0 + v a1) - (1 + v) a0 a1 + 2 a0 a1 w: two products in Fp6.
    ///
    /// The sums of products are within -19 and 19 (the lowest coefficient of the first).
    @inline(never)
    package var squared: Fp12 {
        let product = Fp6Product(c0, c1)
        let sum = Fp6Product(c0 + c1, c0 + c1.timesV)
        return Fp12((sum - product - product.timesV).reduced, (product + product).reduced)
    }

    /// a0 - a1 w, which is a^(p^6): the inverse of elements of norm one, such as those of the cyclotomic subgroup.
    package var conjugate: Fp12 { Fp12(c0, -c1) }

    /// Conjugate over norm; 0 for 0.
    package var inverse: Fp12 {
        let norm = (c0 * c0 - (c1 * c1).timesV).inverse
        return Fp12(c0 * norm, -(c1 * norm))
    }

    package func equals(_ other: Fp12) -> Mask { c0.equals(other.c0) & c1.equals(other.c1) }

    /// a^e for 32 public bytes, big-endian: square and multiply.
    package func raised(to exponent: Span<UInt8>) -> Fp12 {
        let exponent = Limbs(bigEndian: exponent, at: 0)
        var result = Fp12.one
        for index in (0..<256).reversed() {
            result = result.squared
            if exponent.bit(index) == 1 { result = result * self }
        }
        return result
    }
}
