// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// Reads the text of a configuration file line by line.
///
/// Each `key = value` is on a line of its own, below the `[section]` of the key or above all sections. `#` at the start
/// of a line, or after white space behind a value, begins a comment. A value with `#` or with white space at its ends
/// needs double quotes. The last line needs no line feed.
///
/// `mpin.conf` and `server.conf` both have this format; the caller defines the sections and keys.
package struct ConfigurationReader {
    /// The number of the line that was read last, counted from 1.
    package private(set) var number = 0
    private var start = 0

    package init() {}

    /// The next line, or nil after the last one.
    ///
    /// - Parameter text: the whole file, the same in all calls.
    package mutating func next(in text: Span<UInt8>) -> ConfigurationLine? {
        guard start <= text.count else { return nil }
        var end = start
        while end < text.count, text[end] != 0x0A { end += 1 }
        let line = start..<end
        start = end + 1
        number += 1
        return ConfigurationLine(line, in: text)
    }
}

/// One line of a configuration file, with the positions of its parts in the text; see ``ConfigurationReader``.
package enum ConfigurationLine {
    /// White space, or a comment.
    case empty
    case section(Range<Int>)
    /// A key and its value, without quotes.
    case setting(key: Range<Int>, value: Range<Int>)
    /// A value without quotes in which `#` follows something other than white space: it could be part of the value or
    /// begin a comment.
    case unquotedHash
    /// A value that begins with a double quote and has no second one, or has something other than a comment after it.
    case misquoted
    /// None of these, or not text.
    case unreadable

    init(_ line: Range<Int>, in text: Span<UInt8>) {
        let content = ConfigurationLine.trimmed(line, in: text)
        guard !content.isEmpty, text[content.lowerBound] != UInt8(ascii: "#") else {
            self = .empty
            return
        }
        self = .unreadable
        guard ConfigurationLine.isText(text.extracting(content)) else { return }
        if text[content.lowerBound] == UInt8(ascii: "[") {
            let name = ConfigurationLine.trimmed(ConfigurationLine.withoutComment(content, in: text), in: text)
            guard name.count > 1, text[name.upperBound - 1] == UInt8(ascii: "]") else { return }
            self = .section((name.lowerBound + 1)..<(name.upperBound - 1))
        } else if let equals = ConfigurationLine.first(UInt8(ascii: "="), in: content, of: text) {
            let behind = ConfigurationLine.trimmed((equals + 1)..<content.upperBound, in: text)
            let isQuoted = !behind.isEmpty && text[behind.lowerBound] == UInt8(ascii: "\"")
            self = isQuoted ? .misquoted : .unquotedHash
            let value =
                isQuoted ? ConfigurationLine.quoted(behind, in: text) : ConfigurationLine.plain(behind, in: text)
            guard let value else { return }
            self = .setting(key: ConfigurationLine.trimmed(content.lowerBound..<equals, in: text), value: value)
        }
    }

    /// A value without quotes, up to its comment.
    private static func plain(_ range: Range<Int>, in text: Span<UInt8>) -> Range<Int>? {
        let value = withoutComment(range, in: text)
        return first(UInt8(ascii: "#"), in: value, of: text) == nil ? trimmed(value, in: text) : nil
    }

    private static func quoted(_ range: Range<Int>, in text: Span<UInt8>) -> Range<Int>? {
        let start = range.lowerBound + 1
        guard let end = first(UInt8(ascii: "\""), in: start..<range.upperBound, of: text) else { return nil }
        let rest = trimmed((end + 1)..<range.upperBound, in: text)
        return rest.isEmpty || text[rest.lowerBound] == UInt8(ascii: "#") ? start..<end : nil
    }

    private static func withoutComment(_ range: Range<Int>, in text: Span<UInt8>) -> Range<Int> {
        var index = range.lowerBound
        while index < range.upperBound {
            let isBeginning = index == range.lowerBound || isSpace(text[index - 1])
            if text[index] == UInt8(ascii: "#") && isBeginning { return range.lowerBound..<index }
            index += 1
        }
        return range
    }

    @inline(never)
    private static func first(_ byte: UInt8, in range: Range<Int>, of text: Span<UInt8>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == byte { return index }
            index += 1
        }
        return nil
    }

    @inline(never)
    private static func trimmed(_ range: Range<Int>, in text: Span<UInt8>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(text[start]) { start += 1 }
        while end > start, isSpace(text[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// UTF-8 without control characters; a tab is white space.
    private static func isText(_ line: Span<UInt8>) -> Bool {
        for index in line.indices where (line[index] < 0x20 && line[index] != 0x09) || line[index] == 0x7F {
            return false
        }
        return UTF8Sequence.isWellFormed(line)
    }
}
