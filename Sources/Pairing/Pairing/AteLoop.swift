// SPDX-License-Identifier: Apache-2.0

/// The length of the optimal ate loop: |6u + 2| = 0x18000000016807024.
enum AteLoop {
    /// The signed binary digits below the highest one, from the top: 1, -1 or 0, never two in a row that are not 0.
    ///
    /// 3n has at each place the bit of n plus a signed carry: the digits of n in non-adjacent form are those of 3n less
    /// those of n, without the lowest (Reitwiesner 1960).
    static let digits: [Int8] = {
        let n = UInt128(0x1_8000_0000_1680_7024)
        let triple = n * 3
        var digits: [Int8] = []
        var place = 127 - triple.leadingZeroBitCount
        while place > 1 {
            place -= 1
            let plus = Int8(truncatingIfNeeded: (triple >> UInt128(place)) & 1)
            let minus = Int8(truncatingIfNeeded: (n >> UInt128(place)) & 1)
            digits.append(plus - minus)
        }
        return digits
    }()
}
