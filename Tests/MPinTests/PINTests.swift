// SPDX-License-Identifier: Apache-2.0
import MPin
import Testing

@Suite struct PINTests {
    @Test func `a PIN comes from digits or a text`() throws {
        let typed = try secret("0482")
        let digits = try PIN(digits: [0, 4, 8, 2])
        let text = try PIN(copying: "0482".utf8)
        let areEqual = (digits.equals(typed), text.equals(typed))
        #expect(areEqual.0 && areEqual.1)
        let reversed = try PIN(digits: [2, 8, 4, 0].reversed())
        let isEqual = reversed.equals(typed)
        #expect(isEqual)
        #expect(throws: MPinError.self) { _ = try PIN(digits: [1, 2, 3, 10]) }
        #expect(throws: MPinError.self) { _ = try PIN(digits: Array("1234".utf8)) }
        #expect(throws: MPinError.self) { _ = try PIN(copying: String(repeating: "1", count: 129).utf8) }
        let tooMany = try failure { _ = try PIN(digits: [UInt8](repeating: 1, count: PIN.longest + 1)) }
        #expect(tooMany?.message == "A PIN may have at most \(PIN.longest) digits.")
    }

    @Test(arguments: [
        ("0000", PINWeakness.zero), ("000000", .zero), ("1111", .repetition), ("1212", .repetition),
        ("123123", .repetition),
        ("1234", .sequence), ("9876", .sequence), ("7890", .sequence), ("3210", .sequence), ("1987", .year),
        ("3112", .date), ("1231", .date), ("2580", .keypad), ("311299", .date), ("123", .shape), ("1234567", .shape),
        ("12a4", .shape), ("", .shape), ("\u{664}\u{669}\u{666}\u{662}", .shape),
    ])
    func `weak ones are named`(pin: String, weakness: PINWeakness) throws {
        #expect(try secret(pin).weakness() == weakness)
    }

    @Test(arguments: ["4962", "0042", "00420", "80471", "804713", "7385"]) func `others are not`(pin: String) throws {
        #expect(try secret(pin).weakness() == nil)
    }

    /// Between a twentieth and an eighth of the space, as the measurements behind the list suggest.
    @Test(arguments: [4, 6]) func `the list has the right size`(digits: Int) throws {
        let all = digits == 4 ? 10_000 : 1_000_000
        var weak = 0
        var pin = try PIN()
        for number in 0..<all {
            var rest = number
            pin.fill(count: digits) { bytes in
                for index in (0..<digits).reversed() {
                    bytes[index] = UInt8(48 + rest % 10)
                    rest /= 10
                }
            }
            if pin.weakness() != nil { weak += 1 }
        }
        #expect((all / 20...all / 8).contains(weak), "\(weak) of \(all)")
    }

    @Test func `a too long one is refused`() throws {
        #expect(throws: MPinError.self) { _ = try secret(String(repeating: "1", count: PIN.longest + 1)) }
        #expect(try secret(String(repeating: "1", count: PIN.longest)).count == PIN.longest)
    }

    @Test func `compares all of it`() throws {
        #expect(try secret("4962").equals(secret("4962")))
        #expect(try !secret("4962").equals(secret("4963")))
        #expect(try !secret("4962").equals(secret("49620")))
    }
}
