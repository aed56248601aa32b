// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// Text that users will see: in a prompt, a message or a line of the log.
package enum VisibleText {
    /// Removes from an untrusted text everything that could move a cursor, hide something or begin a new line, and
    /// limits its length.
    ///
    /// Control characters, marks that change the writing direction, and bytes that are not UTF-8 become `?`.
    /// - Parameter limit: the most bytes that are kept.
    @inline(never)
    package static func sanitized(_ text: ByteText, limit: Int) -> ByteText {
        let bytes = text.bytes.span
        var result = ByteText()
        var position = 0
        while position < bytes.count {
            let length = UTF8Sequence.length(at: position, end: bytes.count, in: bytes)
            guard result.count + (length ?? 1) <= limit else { break }
            let character = bytes.extracting(position..<(position + (length ?? 1)))
            if length == nil || isHarmful(character) {
                result.append(UInt8(ascii: "?"))
            } else {
                result.append(character)
            }
            position += character.count
        }
        return result
    }

    private static func isHarmful(_ character: Span<UInt8>) -> Bool {
        let first = character[0]
        guard character.count > 1 else { return first < 0x20 || first == 0x7F }
        let second = character[1]
        let third = character.count > 2 ? character[2] : 0
        switch (first, second) {
        case (0xC2, 0x80...0x9F): return true  // C1 controls
        case (0xC2, 0xAD): return true  // soft hyphen
        case (0xD8, 0x9C): return true  // Arabic letter mark
        case (0xE2, 0x80): return 0x8B...0x8F ~= third || 0xA8...0xAE ~= third  // no width, direction, separators
        case (0xE2, 0x81): return 0xA0...0xAF ~= third  // word joiner, isolates, deprecated format characters
        case (0xEF, 0xBB): return third == 0xBF  // byte order mark
        case (0xEF, 0xBF): return 0xB9...0xBB ~= third  // interlinear annotations
        case (0xF3, 0xA0): return 0x80...0x81 ~= third  // tags
        default: return false
        }
    }
}

extension VisibleText {
    package static func sanitized(_ text: String, limit: Int) -> String {
        sanitized(ByteText(text), limit: limit).string
    }
}

extension StaticString {
    /// The text as a `String`.
    @inline(never)
    package var text: String {
        withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
