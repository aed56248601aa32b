internal import MPinWire

/// Text that people will see: in a prompt, a message or a line of the log.
package enum VisibleText {
    /// Whether some bytes are UTF-8.
    package static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        let text = bytes.span
        var position = 0
        while position < text.count {
            guard let length = UTF8Sequence.length(at: position, end: text.count, in: text) else { return false }
            position += length
        }
        return true
    }

    /// A text from elsewhere without what could move a cursor, hide something or begin a new line, and cut to a length.
    ///
    /// Control characters, the marks that turn the direction of writing, and bytes that are not UTF-8 become `?`.
    /// - Parameter limit: the most bytes that are kept.
    package static func sanitized(_ text: String, limit: Int) -> String {
        let source = Array(text.utf8)
        let bytes = source.span
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard let length = UTF8Sequence.length(at: position, end: bytes.count, in: bytes) else {
                guard result.count < limit else { break }
                result.append(UInt8(ascii: "?"))
                position += 1
                continue
            }
            let character = source[position..<(position + length)]
            guard result.count + length <= limit else { break }
            if isHarmful(character) { result.append(UInt8(ascii: "?")) } else { result.append(contentsOf: character) }
            position += length
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isHarmful(_ character: ArraySlice<UInt8>) -> Bool {
        var bytes = character.makeIterator()
        guard let first = bytes.next() else { return false }
        guard first >= 0x80 else { return first < 0x20 || first == 0x7F }
        let second = bytes.next() ?? 0
        let third = bytes.next() ?? 0
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
