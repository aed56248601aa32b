// SPDX-License-Identifier: Apache-2.0
extension G1 {
    /// k P for a public number and a public point, in a time that depends on k: half as long for a k = a + b lambda
    /// with short a and b, such as ``Scalar/init(shortA:shortB:)`` makes.
    ///
    /// Both halves are processed together, bit by bit from the top, in signed digits of which one in six is not 0: odd
    /// numbers from -15 to 15 (width-5 non-adjacent form; Hankerson, Menezes, Vanstone, "Guide to elliptic curve
    /// cryptography", 2004, algorithms 3.36 and 3.51).
    package func multiplied(byPublic k: Scalar) -> G1 {
        let split = SplitScalar(k)
        let digits1 = SignedDigits(split.k1)
        let digits2 = SignedDigits(split.k2)
        let odd = oddMultiples
        let isNegative1 = split.k1IsNegative.isSet
        let isNegative2 = split.k2IsNegative.isSet
        var result = Point<G1Curve>.infinity
        for place in (0..<max(digits1.count, digits2.count)).reversed() {
            result = result.doubled
            if let digit = digits1[place] { result = result + G1.multiple(digit, odd, isNegative: isNegative1) }
            if let digit = digits2[place] {
                result = result + G1.multiple(digit, odd, isNegative: isNegative2).endomorphism
            }
        }
        return G1(result)
    }

    /// P, 3P, ..., 15P.
    private var oddMultiples: [Point<G1Curve>] {
        let twice = point.doubled
        var multiples = [point]
        for index in 0..<7 { multiples.append(multiples[index] + twice) }
        return multiples
    }

    private static func multiple(_ digit: Int, _ odd: [Point<G1Curve>], isNegative: Bool) -> Point<G1Curve> {
        let chosen = odd[abs(digit) / 2]
        return (digit < 0) == isNegative ? chosen : -chosen
    }
}

/// The width-5 non-adjacent form of a number: at most one digit in five consecutive ones is not 0, and those are odd.
private struct SignedDigits {
    private var digits: [Int8] = []

    init(_ number: UInt128) {
        var rest = number
        while rest != 0 {
            var digit = 0
            if rest & 1 == 1 {
                digit = Int(truncatingIfNeeded: rest & 31)
                if digit > 16 { digit -= 32 }
                // Numbers are far below 2^128 here.
                rest = digit < 0 ? rest &+ UInt128(digit.magnitude) : rest &- UInt128(digit.magnitude)
            }
            digits.append(Int8(truncatingIfNeeded: digit))
            rest >>= 1
        }
    }

    var count: Int { digits.count }

    /// The digit at a place; nil if it is 0 or above the highest one.
    subscript(place: Int) -> Int? {
        guard place < digits.count, digits[place] != 0 else { return nil }
        return Int(digits[place])
    }
}
