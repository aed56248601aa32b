// SPDX-License-Identifier: Apache-2.0
extension Point {
    /// k P for a secret scalar: 64 signed digits of four bits, each from -8 to 7.
    ///
    /// The digits are those of k + 0x88...8, minus 8. As k is below r, the sum fits in 256 bits.
    func multiplied(by k: Scalar) -> Point {
        let eights: UInt64 = 0x8888_8888_8888_8888
        return multiplied(digits: k.limbs.adding(Limbs(eights, eights, eights, eights)).sum, count: 64)
    }

    /// k P for a secret number below 2^22: six digits, which make numbers up to 0x777777.
    func multiplied(byShort k: Scalar) -> Point {
        // In the highest bits, where the digits are taken from.
        multiplied(digits: Limbs(0, 0, 0, (k.limbs.l0 &+ 0x88_8888) << 40), count: 6)
    }

    @inline(never)
    private func multiplied(digits: Limbs, count: Int) -> Point {
        let table = Multiples(of: self)
        var digits = digits
        var result = table.multiple(digits.takeTopFourBits(), negated: .clear)
        for _ in 1..<count {
            result = result.doubled.doubled.doubled.doubled
            result = result + table.multiple(digits.takeTopFourBits(), negated: .clear)
        }
        return result
    }
}
