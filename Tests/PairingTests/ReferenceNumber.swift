// SPDX-License-Identifier: Apache-2.0
import Pairing

/// A number modulo p with the arithmetic of primary school: the oracle that the field is compared with.
///
/// Eight digits of 32 bits, the least significant first. Nothing here is in Montgomery form or shares code with the field.
struct ReferenceNumber: Equatable {
    let digits: [UInt64]

    static let prime = digits("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3")
    static let zero = ReferenceNumber(0)
    /// 2^(32 k) modulo p for k from 0 to 15, by doubling.
    private static let powers: [[UInt64]] = {
        var power = ReferenceNumber(1)
        var powers: [[UInt64]] = []
        for _ in 0..<16 {
            powers.append(power.digits)
            for _ in 0..<32 { power = power + power }
        }
        return powers
    }()
    /// 1 / 2^256.
    static let perRadix: ReferenceNumber = {
        // A Montgomery form of 1 is 2^256 in disguise; its inverse comes from Fermat's theorem.
        var radix = ReferenceNumber(1)
        for _ in 0..<256 { radix = radix + radix }
        var exponent = prime
        exponent[0] -= 2
        var result = ReferenceNumber(1)
        for index in (0..<256).reversed() {
            result = result * result
            if exponent[index / 32] >> UInt64(index % 32) & 1 == 1 { result = result * radix }
        }
        return result
    }()

    init(_ number: Int) { self.init(reducing: [UInt64(number)]) }

    /// Any digits, each below 2^63.
    init(reducing number: [UInt64]) {
        var sum = number
        repeat {
            sum = ReferenceNumber.carried(sum)
            if sum.count <= 8 { break }
            // What is above 2^256 comes back as its remainders.
            var folded = [UInt64](repeating: 0, count: 9)
            for (place, digit) in sum.enumerated() {
                if place < 8 {
                    folded[place] += digit
                } else {
                    for (index, part) in ReferenceNumber.powers[place].enumerated() {
                        let product = digit * part
                        folded[index] += product & 0xFFFF_FFFF
                        folded[index + 1] += product >> 32
                    }
                }
            }
            sum = folded
        } while true
        sum += [UInt64](repeating: 0, count: 8 - sum.count)
        while let rest = ReferenceNumber.difference(sum, ReferenceNumber.prime) { sum = rest }
        digits = sum
    }

    /// 32 bytes, big-endian.
    init(_ bytes: [UInt8]) {
        self.init(
            reducing: (0..<8).map { place in bytes[28 - 4 * place..<32 - 4 * place].reduce(0) { $0 << 8 | UInt64($1) } }
        )
    }

    init(_ element: Fp) {
        var bytes = [UInt8](repeating: 0, count: 32)
        var span = bytes.mutableSpan
        element.encode(into: &span, at: 0)
        self.init(bytes)
    }

    var bytes: [UInt8] {
        digits.reversed().flatMap { digit in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: digit >> $0) } }
    }

    var element: Fp { Fp(reducing: bytes.span) }

    static func + (a: ReferenceNumber, b: ReferenceNumber) -> ReferenceNumber {
        ReferenceNumber(reducing: zip(a.digits, b.digits).map { $0 + $1 })
    }

    static func - (a: ReferenceNumber, b: ReferenceNumber) -> ReferenceNumber {
        a + ReferenceNumber(reducing: difference(prime, b.digits) ?? prime)
    }

    static func * (a: ReferenceNumber, b: ReferenceNumber) -> ReferenceNumber {
        var product = [UInt64](repeating: 0, count: 16)
        for (i, x) in a.digits.enumerated() {
            for (j, y) in b.digits.enumerated() {
                product[i + j] += (x * y) & 0xFFFF_FFFF
                product[i + j + 1] += (x * y) >> 32
            }
        }
        return ReferenceNumber(reducing: product)
    }

    /// The digits without carries and without zeroes at the top.
    private static func carried(_ number: [UInt64]) -> [UInt64] {
        var carry: UInt64 = 0
        var digits = number.map { digit in
            let sum = digit + carry
            carry = sum >> 32
            return sum & 0xFFFF_FFFF
        }
        while carry != 0 {
            digits.append(carry & 0xFFFF_FFFF)
            carry >>= 32
        }
        while digits.last == 0 { digits.removeLast() }
        return digits
    }

    /// a - b, or nil where that is negative.
    static func difference(_ a: [UInt64], _ b: [UInt64]) -> [UInt64]? {
        var borrow: UInt64 = 0
        let digits = zip(a, b).map { a, b in
            let difference = a &- b &- borrow
            borrow = difference >> 63
            return difference & 0xFFFF_FFFF
        }
        return borrow == 0 ? digits : nil
    }

    private static func digits(_ hex: String) -> [UInt64] {
        let bytes = Numbers.hex(hex)
        return (0..<8).map { place in bytes[28 - 4 * place..<32 - 4 * place].reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
