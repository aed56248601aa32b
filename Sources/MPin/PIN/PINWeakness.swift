// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// Why a new PIN is refused.
public enum PINWeakness: Sendable {
    /// Not 4 to 6 digits.
    case shape
    /// All zeros: the token would then be the whole secret.
    case zero
    /// One digit repeated, or a pair or triple repeated.
    case repetition
    /// A run up or down, such as 1234 or 9876.
    case sequence
    /// A year between 1940 and 2039.
    case year
    /// A day and month that nearly every list of guesses begins with.
    case date
    /// A pattern on the keypad that is easy to guess, such as 2580.
    case keypad

    /// One sentence for the user who typed the PIN.
    public var explanation: StaticString {
        switch self {
        case .shape: "A PIN has 4 to 6 digits."
        case .zero: "A PIN of zeros protects nothing."
        case .repetition: "A PIN that repeats itself is easy to guess."
        case .sequence: "A PIN that counts up or down is easy to guess."
        case .year: "A year is easy to guess."
        case .date: "A date is easy to guess."
        case .keypad: "A pattern of keys is easy to guess."
        }
    }
}

extension PIN {
    /// The reason why this PIN is weak, or `nil` if it is not.
    ///
    /// About a twelfth of the four-digit and of the six-digit PINs is refused. Markert and others ("This PIN Can Be
    /// Easily Guessed", IEEE Symposium on Security and Privacy 2020) found that against an attacker with few tries a
    /// blocklist of that size helps, while shorter ones do nothing. Check only new PINs: logins accept weak ones.
    public borrowing func weakness() -> PINWeakness? {
        guard isDigits(count: PIN.digits) else { return .shape }
        return bytes.withBytes { PIN.weakness(of: $0) }
    }

    /// Refuses anything but 4 to 6 digits, and zeros alone: with a PIN of zeros the token would be the whole secret.
    borrowing func requireUsable() throws(MPinError) {
        switch weakness() {
        case .shape, .zero:
            throw MPinError(.pinInputCanceled, "A new PIN must have 4 to 6 digits that are not all zero.")
        default: return
        }
    }

    private static func weakness(of digits: Span<UInt8>) -> PINWeakness? {
        func digit(_ index: Int) -> Int { Int(digits[index]) - Int(UInt8(ascii: "0")) }
        let count = digits.count
        if (0..<count).allSatisfy({ digit($0) == 0 }) { return .zero }
        for period in 1...3 where count % period == 0 && period < count {
            if (period..<count).allSatisfy({ digit($0) == digit($0 - period) }) { return .repetition }
        }
        for step in [1, -1] {
            // 7890 and 0987 are sequences too: on the keypad 0 follows 9.
            if (1..<count).allSatisfy({ (digit($0) - digit($0 - 1) - step) % 10 == 0 }) { return .sequence }
        }
        if count == 4 {
            let number = (0..<4).reduce(0) { $0 * 10 + digit($1) }
            if (1940..<2040).contains(number) { return .year }
            if isDate(number / 100, number % 100) || isDate(number % 100, number / 100) { return .date }
            if keypadLines.contains(UInt16(number)) { return .keypad }
        }
        if count == 6 {
            func part(_ index: Int) -> Int { digit(2 * index) * 10 + digit(2 * index + 1) }
            if isDate(part(1), part(0)) || isDate(part(0), part(1)) || isDate(part(1), part(2)) { return .date }
        }
        return nil
    }

    /// Whether a pair of numbers is a month and a day. Six digits are tried in all orders of day, month and year.
    private static func isDate(_ month: Int, _ day: Int) -> Bool { (1...12).contains(month) && (1...31).contains(day) }

    /// Lines, corners and boxes of the keypad (123 / 456 / 789 / 0), both ways.
    private static var keypadLines: [UInt16] {
        [
            2580, 852, 1470, 741, 3690, 963, 1397, 7931, 1379, 9731, 1590, 951, 3570, 753, 1245, 5421, 2356, 6532, 4578,
            8754, 5689, 9865, 1478, 8741, 3698, 8963, 1236, 6321, 7896, 6987, 1793, 3971, 2468, 8642, 1357, 7531,
        ]
    }
}
