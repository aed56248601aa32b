// SPDX-License-Identifier: Apache-2.0

/// Bytes as hexadecimal digits: lower case out, either case in, nothing else accepted.
///
/// Both directions avoid branches on a byte's value and table lookups, because shares are encoded and decoded here.
package enum Hex {
    /// The digits of some bytes.
    package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return text
    }

    /// Appends the digits of some bytes.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        text.reserveCapacity(text.count + 2 * bytes.count)
        for index in bytes.indices {
            text.append(digit(bytes[index] >> 4))
            text.append(digit(bytes[index] & 15))
        }
    }

    /// Decodes an even number of digits; nil if there is any other character.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: text.count / 2)
        var target = bytes.mutableSpan
        return decode(text, into: &target) ? bytes : nil
    }

    /// Decodes exactly twice as many digits as the buffer has bytes.
    ///
    /// - Returns: whether the text had that form; if not, the buffer contains zeros.
    package static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Bool {
        var strange: UInt8 = 0
        if text.count == 2 * bytes.count {
            for index in bytes.indices {
                let (high, isHigh) = value(text[2 * index])
                let (low, isLow) = value(text[2 * index + 1])
                strange |= ~(isHigh & isLow)
                bytes[index] = high << 4 | low
            }
        } else {
            strange = 1
        }
        guard strange != 0 else { return true }
        for index in bytes.indices { bytes[index] = 0 }
        return false
    }

    /// Writes the digits of some bytes into a buffer for secrets.
    ///
    /// - Returns: the position after them, or `nil` if they do not fit.
    package static func encode(_ bytes: Span<UInt8>, into text: inout MutableSpan<UInt8>, at position: Int) -> Int? {
        guard text.count - position >= 2 * bytes.count else { return nil }
        for index in bytes.indices {
            text[position + 2 * index] = digit(bytes[index] >> 4)
            text[position + 2 * index + 1] = digit(bytes[index] & 15)
        }
        return position + 2 * bytes.count
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        // Carries only for 10...15, in a form that compilers do not turn into a branch; "a" is 39 above the character
        // after "9".
        let letter = (nibble &+ 6) >> 4
        return nibble &+ 48 &+ 39 &* letter
    }

    /// The value of a digit, and all ones if the character is a digit.
    private static func value(_ digit: UInt8) -> (UInt8, UInt8) {
        let number = Int16(digit) - 48
        let letter = Int16(digit | 32) - 97
        let isNumber = ~((number | (9 - number)) >> 15)
        let isLetter = ~((letter | (5 - letter)) >> 15)
        let result = (number & isNumber) | ((letter + 10) & isLetter)
        return (UInt8(truncatingIfNeeded: result), UInt8(truncatingIfNeeded: isNumber | isLetter))
    }
}
