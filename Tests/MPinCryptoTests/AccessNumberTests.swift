// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

@Suite
struct AccessNumberTests {
    @Test
    func `the check digits of all numbers of six digits`() {
        var wrong = 0
        var issuable = 0
        for number in 0..<1_000_000 {
            var rest = number
            var digits = [UInt8](repeating: 0x30, count: 6)
            var sum = 0
            for place in (0..<6).reversed() {
                let digit = rest % 10
                rest /= 10
                digits[place] = 0x30 + UInt8(digit)
                sum += digit * (7 - place)
            }
            // The digit c for which sum + c is a multiple of 11; 10 is written as 0.
            var check = 0
            while (sum + check) % 11 != 0 { check += 1 }
            if AccessNumber.checkDigit(digits) != 0x30 + UInt8(check % 10) { wrong += 1 }
            if AccessNumber.isIssuable(digits) != (check != 0 && check != 10) { wrong += 1 }
            if AccessNumber.isIssuable(digits) { issuable += 1 }
        }
        #expect(wrong == 0)
        #expect(issuable > 800_000)
    }

    @Test(arguments: ["000000", "123456", "999999", "100000", "908172"])
    func `exactly one last digit is right`(_ text: String) {
        let digits = Array(text.utf8)
        let right = (UInt8(0x30)...0x39).filter { AccessNumber.isValid(digits + [$0]) }
        #expect(right.count == 1)
        #expect(right.first == AccessNumber.checkDigit(digits))
    }

    @Test(arguments: ["", "12345", "1234567", "12345a", "12 456", "\u{FF11}23456"])
    func `an invalid number is refused`(_ text: String) {
        let digits = Array(text.utf8)
        #expect(AccessNumber.checkDigit(digits) == nil)
        #expect(!AccessNumber.isIssuable(digits))
        #expect(!AccessNumber.isValid(digits))
        #expect(!AccessNumber.isValid(digits + [0x30]) || digits.count == 6)
    }
}
