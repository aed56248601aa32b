// SPDX-License-Identifier: Apache-2.0

/// The seven digits that a browser shows and a user types on a device. The last one is a check digit.
package enum AccessNumber {
    /// The check digit of six digits, in ASCII: weights 7 to 2, (11 - sum mod 11) mod 11, 10 written as 0.
    ///
    /// - Returns: nil for anything but six digits.
    package static func checkDigit(_ digits: [UInt8]) -> UInt8? {
        guard let remainder = checksum(digits) else { return nil }
        return 0x30 + UInt8(remainder % 10)
    }

    /// Whether a server issues a number with these six leading digits. Those with a checksum of 0 or 10 are never
    /// issued, because both end in the digit 0.
    package static func isIssuable(_ digits: [UInt8]) -> Bool {
        guard let remainder = checksum(digits) else { return false }
        return remainder != 0 && remainder != 10
    }

    /// Whether these are seven digits of which the last is the check digit of the others.
    package static func isValid(_ digits: [UInt8]) -> Bool {
        digits.count == 7 && checkDigit(Array(digits.prefix(6))) == digits[6]
    }

    private static func checksum(_ digits: [UInt8]) -> Int? {
        guard digits.count == 6, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var sum = 0
        for (index, digit) in digits.enumerated() { sum += (7 - index) * Int(digit - 0x30) }
        return (11 - sum % 11) % 11
    }
}
