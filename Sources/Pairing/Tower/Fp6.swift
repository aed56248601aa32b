// SPDX-License-Identifier: Apache-2.0

/// Fp6 = Fp2[v] / (v^3 - xi).
package struct Fp6: Sendable {
    package var c0: Fp2
    package var c1: Fp2
    package var c2: Fp2

    @inline(__always)
    package init(_ c0: Fp2, _ c1: Fp2, _ c2: Fp2) {
        (self.c0, self.c1, self.c2) = (c0, c1, c2)
    }

    package static var zero: Fp6 { Fp6(.zero, .zero, .zero) }
    package static var one: Fp6 { Fp6(.one, .zero, .zero) }

    static func + (a: Fp6, b: Fp6) -> Fp6 { Fp6(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2) }
    static func - (a: Fp6, b: Fp6) -> Fp6 { Fp6(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2) }
    static prefix func - (a: Fp6) -> Fp6 { Fp6(-a.c0, -a.c1, -a.c2) }

    /// v a.
    var timesV: Fp6 { Fp6(c2.timesXi, c0, c1) }

    static func * (a: Fp6, b: Fp6) -> Fp6 { Fp6Product(a, b).reduced }

    /// Adjoint over norm; 0 for 0.
    var inverse: Fp6 {
        let t0 = c0.squared - (c1 * c2).timesXi
        let t1 = c2.squared.timesXi - c0 * c1
        let t2 = c1.squared - c0 * c2
        let norm = (c0 * t0 + (c2 * t1 + c1 * t2).timesXi).inverse
        return Fp6(t0 * norm, t1 * norm, t2 * norm)
    }

    func equals(_ other: Fp6) -> Mask { c0.equals(other.c0) & c1.equals(other.c1) & c2.equals(other.c2) }
}

/// A product of numbers of Fp6, or a sum of some, signed and not reduced; bounds as for ``Fp2Product``.
struct Fp6Product {
    let c0: Fp2Product
    let c1: Fp2Product
    let c2: Fp2Product

    @inline(__always)
    private init(_ c0: Fp2Product, _ c1: Fp2Product, _ c2: Fp2Product) {
        (self.c0, self.c1, self.c2) = (c0, c1, c2)
    }

    /// (a0 b0 + xi (a1 b2 + a2 b1)) + (a0 b1 + a1 b0 + xi a2 b2) v + (a0 b2 + a1 b1 + a2 b0) v^2, with six products instead
    /// of nine (Karatsuba).
    ///
    /// c0 is re: -7 to 3, im: -2 to 8; c1 is re: -5 to 3, im: -1 to 7; c2 is re: -3 to 3, im: 0 to 6.
    @inline(never)
    init(_ a: Fp6, _ b: Fp6) {
        let t0 = Fp2Product(a.c0, b.c0)
        let t1 = Fp2Product(a.c1, b.c1)
        let t2 = Fp2Product(a.c2, b.c2)
        c0 = t0 + (Fp2Product(a.c1.plus(a.c2), b.c1.plus(b.c2)) - t1 - t2).timesXi
        c1 = Fp2Product(a.c0.plus(a.c1), b.c0.plus(b.c1)) - t0 - t1 + t2.timesXi
        c2 = Fp2Product(a.c0.plus(a.c2), b.c0.plus(b.c2)) - t0 - t2 + t1
    }

    /// a (b0 + b1 v), as in a line, with five products instead of six.
    ///
    /// c0 is re: -4 to 2, im: -1 to 5; c1 and c2 are re: -2 to 2, im: 0 to 4.
    @inline(never)
    init(_ a: Fp6, _ b0: Fp2, _ b1: Fp2) {
        let t0 = Fp2Product(a.c0, b0)
        let t1 = Fp2Product(a.c1, b1)
        c0 = t0 + Fp2Product(a.c2, b1).timesXi
        c1 = Fp2Product(a.c0.plus(a.c1), b0.plus(b1)) - t0 - t1
        c2 = Fp2Product(a.c2, b0) + t1
    }

    @inline(__always)
    static func + (a: Fp6Product, b: Fp6Product) -> Fp6Product { Fp6Product(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2) }
    @inline(__always)
    static func - (a: Fp6Product, b: Fp6Product) -> Fp6Product { Fp6Product(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2) }
    /// The sum with a number of Fp6.
    @inline(__always)
    static func + (a: Fp6Product, b: Fp6) -> Fp6Product { Fp6Product(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2) }

    /// v a.
    @inline(__always)
    var timesV: Fp6Product { Fp6Product(c2.timesXi, c0, c1) }

    @inline(__always)
    var reduced: Fp6 { Fp6(c0.reduced, c1.reduced, c2.reduced) }
}
