// SPDX-License-Identifier: Apache-2.0

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
