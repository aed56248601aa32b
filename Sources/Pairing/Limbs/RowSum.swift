// SPDX-License-Identifier: Apache-2.0

/// The running sum of a multiplication row by row: five limbs, the least significant first.
///
/// A row is a number of four limbs times one limb. Its four products are calculated first, so that they do not wait for
/// each other, and then added in two chains of carries, which the compiler turns into add-with-carry instructions.
struct RowSum {
    private var t0, t1, t2, t3, t4: UInt64

    /// a b.
    @inline(__always)
    init(_ a: Limbs, _ b: UInt64) {
        (t0, t1, t2, t3, t4) = RowSum.row(a, b)
    }

    /// A number of four limbs.
    @inline(__always)
    init(_ number: Limbs) {
        (t0, t1, t2, t3, t4) = (number.l0, number.l1, number.l2, number.l3, 0)
    }

    /// Adds a b. The sum has to stay below 2^320.
    @inline(__always)
    mutating func add(_ a: Limbs, _ b: UInt64) {
        let row = RowSum.row(a, b)
        var carry: UInt64 = 0
        t0 = Limbs.add(t0, row.0, &carry)
        t1 = Limbs.add(t1, row.1, &carry)
        t2 = Limbs.add(t2, row.2, &carry)
        t3 = Limbs.add(t3, row.3, &carry)
        t4 = t4 &+ row.4 &+ carry
    }

    /// Adds the multiple of p that makes the sum divisible by 2^64, and divides it.
    @inline(__always)
    mutating func divide(modulo p: Limbs, _ negativeInverse: UInt64) {
        add(p, t0 &* negativeInverse)
        (t0, t1, t2, t3, t4) = (t1, t2, t3, t4, 0)
    }

    /// Removes and returns the lowest limb.
    @inline(__always)
    mutating func takeLowest() -> UInt64 {
        let lowest = t0
        (t0, t1, t2, t3, t4) = (t1, t2, t3, t4, 0)
        return lowest
    }

    /// The sum, which has to fit in four limbs.
    @inline(__always)
    var limbs: Limbs { Limbs(t0, t1, t2, t3) }

    @inline(__always)
    private static func row(_ a: Limbs, _ b: UInt64) -> (UInt64, UInt64, UInt64, UInt64, UInt64) {
        let p0 = a.l0.multipliedFullWidth(by: b)
        let p1 = a.l1.multipliedFullWidth(by: b)
        let p2 = a.l2.multipliedFullWidth(by: b)
        let p3 = a.l3.multipliedFullWidth(by: b)
        var carry: UInt64 = 0
        let r1 = Limbs.add(p0.high, p1.low, &carry)
        let r2 = Limbs.add(p1.high, p2.low, &carry)
        let r3 = Limbs.add(p2.high, p3.low, &carry)
        return (p0.low, r1, r2, r3, p3.high &+ carry)
    }
}
