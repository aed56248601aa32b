/// One line of a configuration file.
enum ConfigurationLine {
    case empty
    case section([UInt8])
    case setting(key: [UInt8], value: [UInt8])
    /// None of these, or not text.
    case unreadable

    init(_ line: ArraySlice<UInt8>) {
        let text = ConfigurationLine.trimmed(line)
        guard let first = text.first, first != UInt8(ascii: "#") else {
            self = .empty
            return
        }
        guard ConfigurationLine.isText(text) else {
            self = .unreadable
            return
        }
        if first == UInt8(ascii: "[") {
            let name = ConfigurationLine.trimmed(ConfigurationLine.withoutComment(text))
            self = name.last == UInt8(ascii: "]") ? .section(Array(name.dropFirst().dropLast())) : .unreadable
            return
        }
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
            self = .unreadable
            return
        }
        let key = ConfigurationLine.trimmed(text[..<equals])
        guard let value = ConfigurationLine.value(ConfigurationLine.trimmed(text[(equals + 1)...])) else {
            self = .unreadable
            return
        }
        self = .setting(key: Array(key), value: Array(value))
    }

    /// What stands behind the equals sign, without a comment and without quotes.
    private static func value(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.first == UInt8(ascii: "\"") else { return trimmed(withoutComment(text)) }
        let inside = text.dropFirst()
        guard let end = inside.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let rest = trimmed(inside[(end + 1)...])
        return rest.isEmpty || rest.first == UInt8(ascii: "#") ? inside[..<end] : nil
    }

    private static func withoutComment(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        for index in text.indices.dropFirst()
        where text[index] == UInt8(ascii: "#") && isSpace(text[index - 1]) { return text[..<index] }
        return text.first == UInt8(ascii: "#") ? text.prefix(0) : text
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let first = text.first, isSpace(first) { text.removeFirst() }
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// UTF-8 without control characters; a tab is white space.
    private static func isText(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else { return false }
        return VisibleText.isWellFormed(Array(line))
    }
}
