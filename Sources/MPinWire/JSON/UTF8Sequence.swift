// SPDX-License-Identifier: Apache-2.0

/// One character of UTF-8 as in RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// The length of the character at a position, in bytes; nil if it is not well-formed.
    package static func length(at position: Int, end: Int, in body: Span<UInt8>) -> Int? {
        let first = body[position]
        let count: Int
        // The bounds of the second byte exclude overlong forms, surrogates and values beyond Unicode.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard position + count <= end, second ~= body[position + 1] else { return nil }
        for index in (position + 2)..<max(position + 2, position + count) where body[index] & 0xC0 != 0x80 {
            return nil
        }
        return count
    }

    /// Whether a text is UTF-8 from its beginning to its end.
    @inline(never)
    package static func isWellFormed(_ text: Span<UInt8>) -> Bool {
        var position = 0
        while position < text.count {
            guard let length = length(at: position, end: text.count, in: text) else { return false }
            position += length
        }
        return true
    }
}
