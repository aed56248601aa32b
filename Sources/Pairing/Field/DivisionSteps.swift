// SPDX-License-Identifier: Apache-2.0

/// A batch of 59 division steps on the low bits of f and g, as a matrix of small numbers times 2^62.
///
/// Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", 2019, with the start value of 1/2
/// for delta by which fewer steps are enough (Wuille, "The safegcd implementation in libsecp256k1 explained", 2021).
struct DivisionSteps {
    /// 2^62 f' = u f + v g, 2^62 g' = q f + r g.
    private(set) var u: Int64
    private(set) var v: Int64
    private(set) var q: Int64
    private(set) var r: Int64

    /// - Parameter zeta: -(delta + 1/2), carried from batch to batch.
    @inline(__always)
    init(zeta: inout Int64, f f0: Int64, g g0: Int64) {
        // Three doublings ahead: 59 steps and these make 2^62.
        u = 8
        v = 0
        q = 0
        r = 8
        var f = f0
        var g = g0
        for _ in 0..<59 {
            let negative = zeta >> 63
            let odd = 0 &- (g & 1)
            // If g is odd: g + f, or g - f if delta is positive.
            g &+= ((f ^ negative) &- negative) & odd
            q &+= ((u ^ negative) &- negative) & odd
            r &+= ((v ^ negative) &- negative) & odd
            // If g is odd and delta is positive, the old g replaces f: (g - f) + f.
            let swap = negative & odd
            zeta = (zeta ^ swap) &- 1
            f &+= g & swap
            u &+= q & swap
            v &+= r & swap
            g >>= 1
            u <<= 1
            v <<= 1
        }
    }
}
