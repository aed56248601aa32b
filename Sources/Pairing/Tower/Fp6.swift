/// Fp6 = Fp2[v] / (v^3 - xi).
package struct Fp6: Sendable {
    package var c0: Fp2
    package var c1: Fp2
    package var c2: Fp2

    @inline(__always)
    package init(_ c0: Fp2, _ c1: Fp2, _ c2: Fp2) {
        self.c0 = c0
        self.c1 = c1
        self.c2 = c2
    }

    package static var zero: Fp6 { Fp6(.zero, .zero, .zero) }
    package static var one: Fp6 { Fp6(.one, .zero, .zero) }

    static func + (a: Fp6, b: Fp6) -> Fp6 { Fp6(a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2) }
    static func - (a: Fp6, b: Fp6) -> Fp6 { Fp6(a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2) }
    static prefix func - (a: Fp6) -> Fp6 { Fp6(-a.c0, -a.c1, -a.c2) }

    /// v a.
    var timesV: Fp6 { Fp6(c2.timesXi, c0, c1) }

    /// The schoolbook product: each of the six numbers of the result is a sum of six products with one reduction.
    ///
    /// (a0 b0 + xi (a1 b2 + a2 b1)) + (a0 b1 + a1 b0 + xi a2 b2) v + (a0 b2 + a1 b1 + a2 b0) v^2.
    @inline(never)
    static func * (a: Fp6, b: Fp6) -> Fp6 {
        let x1 = a.c1.timesXi
        let x2 = a.c2.timesXi
        return Fp6(
            dot(a.c0, b.c0, x1, b.c2, x2, b.c1),
            dot(a.c0, b.c1, a.c1, b.c0, x2, b.c2),
            dot(a.c0, b.c2, a.c1, b.c1, a.c2, b.c0))
    }

    /// a b + c d + e f.
    @inline(__always)
    private static func dot(_ a: Fp2, _ b: Fp2, _ c: Fp2, _ d: Fp2, _ e: Fp2, _ f: Fp2) -> Fp2 {
        Fp2(
            Fp.dot(
                (a.re, a.im.opposite, c.re, c.im.opposite, e.re, e.im.opposite), (b.re, b.im, d.re, d.im, f.re, f.im)),
            Fp.dot((a.re, a.im, c.re, c.im, e.re, e.im), (b.im, b.re, d.im, d.re, f.im, f.re)))
    }

    /// a (b0 + b1 v), as in a line.
    @inline(never)
    func times(_ b0: Fp2, _ b1: Fp2) -> Fp6 {
        Fp6(Fp2.dot(c0, b0, c2.timesXi, b1), Fp2.dot(c1, b0, c0, b1), Fp2.dot(c2, b0, c1, b1))
    }

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
