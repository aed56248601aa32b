// SPDX-License-Identifier: Apache-2.0

/// A number in five signed limbs of 62 bits, the least significant first: the form that the inversion uses.
///
/// Limbs of 62 bits leave room to add the products of a whole batch of steps before carries are passed on.
struct Signed62 {
    var l0, l1, l2, l3, l4: Int64

    static var mask: Int64 { (1 << 62) - 1 }

    @inline(__always)
    init(_ l0: Int64, _ l1: Int64, _ l2: Int64, _ l3: Int64, _ l4: Int64) {
        (self.l0, self.l1, self.l2, self.l3) = (l0, l1, l2, l3)
        self.l4 = l4
    }

    @inline(__always)
    init(_ a: Limbs) {
        let mask = UInt64(bitPattern: Signed62.mask)
        l0 = Int64(bitPattern: a.l0 & mask)
        l1 = Int64(bitPattern: (a.l0 >> 62 | a.l1 << 2) & mask)
        l2 = Int64(bitPattern: (a.l1 >> 60 | a.l2 << 4) & mask)
        l3 = Int64(bitPattern: (a.l2 >> 58 | a.l3 << 6) & mask)
        l4 = Int64(bitPattern: a.l3 >> 56)
    }

    /// The limbs of a number that is not negative and has no carries left.
    @inline(__always)
    var limbs: Limbs {
        let (a, b, c) = (UInt64(bitPattern: l0), UInt64(bitPattern: l1), UInt64(bitPattern: l2))
        let (d, e) = (UInt64(bitPattern: l3), UInt64(bitPattern: l4))
        return Limbs(a | b << 62, b >> 2 | c << 60, c >> 4 | d << 58, d >> 6 | e << 56)
    }

    /// All ones if the number is negative.
    @inline(__always)
    var sign: Int64 { l4 >> 63 }

    /// Adds the other number if the mask is set.
    @inline(__always)
    mutating func add(_ other: Signed62, where mask: Int64) {
        l0 &+= other.l0 & mask
        l1 &+= other.l1 & mask
        l2 &+= other.l2 & mask
        l3 &+= other.l3 & mask
        l4 &+= other.l4 & mask
    }

    /// Negates the number if the mask is set.
    @inline(__always)
    mutating func negate(where mask: Int64) {
        l0 = (l0 ^ mask) &- mask
        l1 = (l1 ^ mask) &- mask
        l2 = (l2 ^ mask) &- mask
        l3 = (l3 ^ mask) &- mask
        l4 = (l4 ^ mask) &- mask
    }

    /// Passes carries on, so that all limbs but the highest are from 0 to 2^62 - 1.
    @inline(__always)
    mutating func carry() {
        l1 &+= l0 >> 62
        l0 &= Signed62.mask
        l2 &+= l1 >> 62
        l1 &= Signed62.mask
        l3 &+= l2 >> 62
        l2 &= Signed62.mask
        l4 &+= l3 >> 62
        l3 &= Signed62.mask
    }

    /// (a u + b v + c m) / 2^62, which has to be a whole number.
    #if hasFeature(Embedded)
    @inline(never)
    #else
    @inline(__always)
    #endif
    static func combined(
        _ u: Int64, _ a: Signed62, _ v: Int64, _ b: Signed62, _ m: Int64, _ c: Signed62
    ) -> Signed62 {
        var sum = Signed62.products(u, a.l0, v, b.l0, m, c.l0) >> 62
        sum = sum &+ Signed62.products(u, a.l1, v, b.l1, m, c.l1)
        let r0 = Int64(truncatingIfNeeded: sum) & mask
        sum = (sum >> 62) &+ Signed62.products(u, a.l2, v, b.l2, m, c.l2)
        let r1 = Int64(truncatingIfNeeded: sum) & mask
        sum = (sum >> 62) &+ Signed62.products(u, a.l3, v, b.l3, m, c.l3)
        let r2 = Int64(truncatingIfNeeded: sum) & mask
        sum = (sum >> 62) &+ Signed62.products(u, a.l4, v, b.l4, m, c.l4)
        let r3 = Int64(truncatingIfNeeded: sum) & mask
        return Signed62(r0, r1, r2, r3, Int64(truncatingIfNeeded: sum >> 62))
    }

    /// u a + v b + m c.
    @inline(__always)
    static func products(_ u: Int64, _ a: Int64, _ v: Int64, _ b: Int64, _ m: Int64, _ c: Int64) -> Int128 {
        Int128(u) &* Int128(a) &+ Int128(v) &* Int128(b) &+ Int128(m) &* Int128(c)
    }
}
