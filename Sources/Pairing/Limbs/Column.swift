/// One column of a long multiplication: the running sum of the products that belong to one limb of the result.
///
/// Multiplying column by column (product scanning) keeps the sum in three registers.
struct Column {
    private var low: UInt128 = 0
    private var high: UInt64 = 0

    @inline(__always)
    init() {}

    /// Adds a b.
    @inline(__always)
    mutating func add(_ a: UInt64, _ b: UInt64) {
        let product = UInt128(truncatingIfNeeded: a) &* UInt128(truncatingIfNeeded: b)
        let (sum, overflow) = low.addingReportingOverflow(product)
        low = sum
        high &+= overflow ? 1 : 0
    }

    /// Adds the products a_i b_j with i + j = `diagonal`, which is a literal from 0 to 6.
    @inline(__always)
    mutating func add(_ a: Limbs, _ b: Limbs, diagonal: Int) {
        switch diagonal {
        case 0:
            add(a.l0, b.l0)
        case 1:
            add(a.l0, b.l1)
            add(a.l1, b.l0)
        case 2:
            add(a.l0, b.l2)
            add(a.l1, b.l1)
            add(a.l2, b.l0)
        case 3:
            add(a.l0, b.l3)
            add(a.l1, b.l2)
            add(a.l2, b.l1)
            add(a.l3, b.l0)
        case 4:
            add(a.l1, b.l3)
            add(a.l2, b.l2)
            add(a.l3, b.l1)
        case 5:
            add(a.l2, b.l3)
            add(a.l3, b.l2)
        default:
            add(a.l3, b.l3)
        }
    }

    /// The lowest limb of the sum.
    @inline(__always)
    var limb: UInt64 { UInt64(truncatingIfNeeded: low) }

    /// Goes on to the next column: the lowest limb leaves.
    @inline(__always)
    mutating func shift() {
        low = low >> 64 | UInt128(high) << 64
        high = 0
    }

    /// The lowest limb, which leaves.
    @inline(__always)
    mutating func take() -> UInt64 {
        let taken = limb
        shift()
        return taken
    }
}
