// SPDX-License-Identifier: Apache-2.0

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
