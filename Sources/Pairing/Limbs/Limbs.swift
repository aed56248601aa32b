/// A number of 256 bits in four limbs, the least significant first.
struct Limbs: Sendable, BitwiseCopyable {
    var l0: UInt64
    var l1: UInt64
    var l2: UInt64
    var l3: UInt64

    @inline(__always)
    init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) {
        self.l0 = l0
        self.l1 = l1
        self.l2 = l2
        self.l3 = l3
    }

    static var zero: Limbs { Limbs(0, 0, 0, 0) }

    /// a + b, and the bit that does not fit.
    @inline(__always)
    func adding(_ other: Limbs, carryIn: UInt64 = 0) -> (sum: Limbs, carry: UInt64) {
        // Carries as the upper halves of 128-bit sums: the compiler makes add-with-carry of them and never a branch.
        let w0 = UInt128(l0) &+ UInt128(other.l0) &+ UInt128(carryIn)
        let w1 = UInt128(l1) &+ UInt128(other.l1) &+ (w0 >> 64)
        let w2 = UInt128(l2) &+ UInt128(other.l2) &+ (w1 >> 64)
        let w3 = UInt128(l3) &+ UInt128(other.l3) &+ (w2 >> 64)
        let sum = Limbs(
            UInt64(truncatingIfNeeded: w0), UInt64(truncatingIfNeeded: w1),
            UInt64(truncatingIfNeeded: w2), UInt64(truncatingIfNeeded: w3))
        return (sum, UInt64(truncatingIfNeeded: w3 >> 64))
    }

    /// a - b modulo 2^256, and 1 if a < b.
    @inline(__always)
    func subtracting(_ other: Limbs) -> (difference: Limbs, borrow: UInt64) {
        let complement = Limbs(~other.l0, ~other.l1, ~other.l2, ~other.l3)
        let (difference, carry) = adding(complement, carryIn: 1)
        return (difference, carry ^ 1)
    }

    /// The same bits where the mask is set, zeroes where it is not.
    @inline(__always)
    func masked(_ mask: UInt64) -> Limbs {
        Limbs(l0 & mask, l1 & mask, l2 & mask, l3 & mask)
    }

    /// `a` where the mask is set, `b` where it is not.
    @inline(__always)
    static func select(_ mask: Mask, _ a: Limbs, _ b: Limbs) -> Limbs {
        let m = mask.bits
        return Limbs(
            b.l0 ^ (m & (a.l0 ^ b.l0)), b.l1 ^ (m & (a.l1 ^ b.l1)),
            b.l2 ^ (m & (a.l2 ^ b.l2)), b.l3 ^ (m & (a.l3 ^ b.l3)))
    }

    /// a - b where that is not negative, a otherwise.
    @inline(__always)
    func reducedOnce(by modulus: Limbs) -> Limbs {
        let (difference, borrow) = subtracting(modulus)
        // All ones where there was a borrow; no mask function, because nothing here is a comparison.
        let keep = 0 &- borrow
        return Limbs(
            difference.l0 ^ (keep & (l0 ^ difference.l0)), difference.l1 ^ (keep & (l1 ^ difference.l1)),
            difference.l2 ^ (keep & (l2 ^ difference.l2)), difference.l3 ^ (keep & (l3 ^ difference.l3)))
    }

    /// Set if all bits are 0.
    @inline(__always)
    var isZero: Mask { Mask(zero: l0 | l1 | l2 | l3) }

    /// The four highest bits, which are shifted out.
    @inline(__always)
    mutating func takeTopFourBits() -> UInt64 {
        let top = l3 >> 60
        l3 = l3 << 4 | l2 >> 60
        l2 = l2 << 4 | l1 >> 60
        l1 = l1 << 4 | l0 >> 60
        l0 <<= 4
        return top
    }

    /// Bit `index`; for public numbers.
    @inline(__always)
    func bit(_ index: Int) -> UInt64 {
        let limb = index < 64 ? l0 : index < 128 ? l1 : index < 192 ? l2 : l3
        return (limb >> UInt64(index & 63)) & 1
    }
}
