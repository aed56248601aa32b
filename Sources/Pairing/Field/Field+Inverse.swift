// SPDX-License-Identifier: Apache-2.0

extension Field {
    /// 1/a; 0 for 0.
    ///
    /// 590 division steps in ten batches, enough for every number of 256 bits. The pair (d, e) follows (f, g) so that
    /// d a = f and e a = g modulo p; at the end g is 0, f is 1 or -1, and d is 1/a except for the sign.
    @inline(never)
    package var inverse: Field {
        let modulus = Signed62(M.limbs)
        let inverse62 = Int64(bitPattern: 0 &- M.negativeInverse)
        var d = Signed62(0, 0, 0, 0, 0)
        var e = Signed62(1, 0, 0, 0, 0)
        var f = modulus
        var g = Signed62(limbs)
        var zeta: Int64 = -1
        for _ in 0..<10 {
            let t = DivisionSteps(zeta: &zeta, f: f.l0, g: g.l0)
            (d, e) = (Field.next(t.u, d, t.v, e, modulus, inverse62), Field.next(t.q, d, t.r, e, modulus, inverse62))
            (f, g) = (Signed62.combined(t.u, f, t.v, g, 0, modulus), Signed62.combined(t.q, f, t.r, g, 0, modulus))
        }
        // d is above -2p and below p.
        d.add(modulus, where: d.sign)
        d.negate(where: f.sign)
        d.carry()
        d.add(modulus, where: d.sign)
        d.carry()
        // The inverted number is a 2^256: two factors of 2^512 turn 1 / (a 2^256) into 2^256 / a.
        let square = M.montgomerySquare
        return Field(d.limbs) * Field(montgomery: Limbs(square.0, square.1, square.2, square.3))
    }

    /// (u d + v e) / 2^62 modulo p, above -2p and below p: a multiple of p is added that clears the lowest 62 bits.
    @inline(__always)
    private static func next(
        _ u: Int64, _ d: Signed62, _ v: Int64, _ e: Signed62, _ modulus: Signed62, _ inverse62: Int64
    ) -> Signed62 {
        // Adding one p for each of d and e that is negative keeps the result in its range.
        var multiple = (u & d.sign) &+ (v & e.sign)
        let low = u &* d.l0 &+ v &* e.l0
        multiple &-= (inverse62 &* low &+ multiple) & Signed62.mask
        return Signed62.combined(u, d, v, e, multiple, modulus)
    }
}

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

extension Field {
    /// A small number.
    package init(_ number: UInt64) { self.init(Limbs(number, 0, 0, 0)) }

    /// The element of a number below p.
    init(_ canonical: Limbs) {
        let square = M.montgomerySquare
        self = Field(montgomery: canonical) * Field(montgomery: Limbs(square.0, square.1, square.2, square.3))
    }

    /// The number from 0 to p - 1 that this element represents.
    var canonical: Limbs { (self * Field(montgomery: Limbs(1, 0, 0, 0))).limbs }

    /// The lowest bit of the canonical number.
    package var isOdd: Mask { Mask(bit: canonical.l0 & 1) }

    /// The element of 32 bytes, big-endian, from `offset` on; `valid` is set if the number is below p.
    ///
    /// The caller has checked that the bytes are there.
    package static func decode(_ bytes: Span<UInt8>, at offset: Int) -> (element: Field, valid: Mask) {
        let number = Limbs(bigEndian: bytes, at: offset)
        let (_, borrow) = number.subtracting(M.limbs)
        return (Field(reducing: number), Mask(bit: borrow))
    }

    /// Any number of 256 bits modulo p, which is more than 2^253.
    init(reducing number: Limbs) {
        let p = M.limbs
        let p2 = p.adding(p).sum
        let p4 = p2.adding(p2).sum
        self.init(number.reducedOnce(by: p4).reducedOnce(by: p2).reducedOnce(by: p))
    }

    /// Any 32 bytes, big-endian, modulo p.
    package init(reducing bytes: Span<UInt8>, at offset: Int = 0) {
        self.init(reducing: Limbs(bigEndian: bytes, at: offset))
    }

    /// Writes 32 bytes, big-endian, from `offset` on.
    package func encode(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        canonical.write(into: &bytes, at: offset)
    }
}
