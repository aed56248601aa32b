// SPDX-License-Identifier: Apache-2.0

/// A number of 256 bits in four limbs, the least significant first.
package struct Limbs: Sendable, BitwiseCopyable {
    package var l0: UInt64
    package var l1: UInt64
    package var l2: UInt64
    package var l3: UInt64

    @inline(__always)
    package init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64) {
        (self.l0, self.l1, self.l2, self.l3) = (l0, l1, l2, l3)
    }

    static var zero: Limbs { Limbs(0, 0, 0, 0) }

    /// a + b, and the carry.
    @inline(__always)
    package func adding(_ other: Limbs, carryIn: UInt64 = 0) -> (sum: Limbs, carry: UInt64) {
        var carry = carryIn
        let s0 = Limbs.add(l0, other.l0, &carry)
        let s1 = Limbs.add(l1, other.l1, &carry)
        let s2 = Limbs.add(l2, other.l2, &carry)
        let s3 = Limbs.add(l3, other.l3, &carry)
        return (Limbs(s0, s1, s2, s3), carry)
    }

    /// a - b modulo 2^256, and 1 if a < b.
    @inline(__always)
    package func subtracting(_ other: Limbs, borrowIn: UInt64 = 0) -> (difference: Limbs, borrow: UInt64) {
        var borrow = borrowIn
        let d0 = Limbs.subtract(l0, other.l0, &borrow)
        let d1 = Limbs.subtract(l1, other.l1, &borrow)
        let d2 = Limbs.subtract(l2, other.l2, &borrow)
        let d3 = Limbs.subtract(l3, other.l3, &borrow)
        return (Limbs(d0, d1, d2, d3), borrow)
    }

    /// a + b + carry, and the carry for the next limb.
    @inline(__always)
    static func add(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (sum, first) = a.addingReportingOverflow(b)
        let (result, second) = sum.addingReportingOverflow(carry)
        carry = bit(first) | bit(second)
        return result
    }

    /// a - b - borrow, and the borrow for the next limb.
    @inline(__always)
    static func subtract(_ a: UInt64, _ b: UInt64, _ borrow: inout UInt64) -> UInt64 {
        let (difference, first) = a.subtractingReportingOverflow(b)
        let (result, second) = difference.subtractingReportingOverflow(borrow)
        borrow = bit(first) | bit(second)
        return result
    }

    /// A flag of the processor as a number.
    ///
    /// `flag ? 1 : 0` would be a branch that the optimizer sometimes keeps, and a sum of 128 bits takes more
    /// instructions if one number is a constant. The compiler turns these bits into add-with-carry and
    /// subtract-with-borrow instructions.
    @inline(__always)
    private static func bit(_ flag: Bool) -> UInt64 { UInt64(unsafe unsafeBitCast(flag, to: UInt8.self)) }

    /// The number if the mask is set, otherwise zero.
    @inline(__always)
    func masked(_ mask: UInt64) -> Limbs {
        Limbs(l0 & mask, l1 & mask, l2 & mask, l3 & mask)
    }

    /// `a` if the mask is set, otherwise `b`.
    @inline(__always)
    static func select(_ mask: Mask, _ a: Limbs, _ b: Limbs) -> Limbs {
        let m = mask.bits
        return Limbs(
            b.l0 ^ (m & (a.l0 ^ b.l0)), b.l1 ^ (m & (a.l1 ^ b.l1)),
            b.l2 ^ (m & (a.l2 ^ b.l2)), b.l3 ^ (m & (a.l3 ^ b.l3)))
    }

    /// a - b if that is not negative, otherwise a.
    @inline(__always)
    func reducedOnce(by modulus: Limbs) -> Limbs {
        let (difference, borrow) = subtracting(modulus)
        // All ones after a borrow. This is not a mask function, because there is no comparison here.
        return difference.adding(modulus.masked(0 &- borrow)).sum
    }

    @inline(__always)
    var isZero: Mask { Mask(zero: l0 | l1 | l2 | l3) }

    /// The four highest bits; the number is shifted left by four.
    @inline(__always)
    mutating func takeTopFourBits() -> UInt64 {
        let top = l3 >> 60
        l3 = l3 << 4 | l2 >> 60
        l2 = l2 << 4 | l1 >> 60
        l1 = l1 << 4 | l0 >> 60
        l0 <<= 4
        return top
    }
}

extension Limbs {
    /// Reads 32 bytes from `offset`, big-endian. The caller has checked that they exist.
    @inline(__always)
    init(bigEndian bytes: Span<UInt8>, at offset: Int) {
        self.init(
            Limbs.limb(bytes, offset + 24), Limbs.limb(bytes, offset + 16), Limbs.limb(bytes, offset + 8),
            Limbs.limb(bytes, offset))
    }

    /// Writes 32 bytes from `offset`, big-endian.
    @inline(__always)
    func write(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        Limbs.put(l3, &bytes, offset)
        Limbs.put(l2, &bytes, offset + 8)
        Limbs.put(l1, &bytes, offset + 16)
        Limbs.put(l0, &bytes, offset + 24)
    }

    @inline(__always)
    private static func limb(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
        var limb: UInt64 = 0
        for index in offset..<offset + 8 { limb = limb << 8 | UInt64(bytes[index]) }
        return limb
    }

    @inline(__always)
    private static func put(_ limb: UInt64, _ bytes: inout MutableSpan<UInt8>, _ offset: Int) {
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: limb >> UInt64(56 - 8 * index)) }
    }
}
