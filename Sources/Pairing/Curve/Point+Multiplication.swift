extension Point {
    /// k P for a secret scalar: 64 signed digits of four bits, each from -8 to 7.
    ///
    /// The digits are those of k + 0x88...8, less 8. As k is below r, the sum fits 256 bits.
    @inline(never)
    func multiplied(by k: Scalar) -> Point {
        let table = Multiples(of: self)
        let eights: UInt64 = 0x8888_8888_8888_8888
        var digits = k.limbs.adding(Limbs(eights, eights, eights, eights)).sum
        var result = table.multiple(digits.takeTopFourBits(), negated: .clear)
        for _ in 1..<64 {
            result = result.doubled.doubled.doubled.doubled
            result = result + table.multiple(digits.takeTopFourBits(), negated: .clear)
        }
        return result
    }
}
