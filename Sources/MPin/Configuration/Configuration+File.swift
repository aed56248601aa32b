internal import MPinWire

extension Configuration {
    /// The largest file that is read, in bytes.
    static let fileLimit = 65_536

    /// Reads the text of a file; its values replace earlier ones.
    ///
    /// `key = value` on a line of its own, below the `[section]` the key belongs to or above all sections. `#` at the
    /// start of a line, or after white space behind a value, begins a comment. A value with `#` or with white space at
    /// its ends stands in double quotes. The last line needs no end.
    /// - Parameters:
    ///   - text: the content.
    ///   - path: the file, for messages.
    mutating func read(_ text: Span<UInt8>, path: ByteText) throws(ConfigurationFault) {
        var position = ConfigurationFault.Position(file: path)
        guard text.count <= Configuration.fileLimit else { throw ConfigurationFault(position, "is too large") }
        var section: Range<Int>?
        var start = 0
        while start <= text.count {
            var end = start
            while end < text.count, text[end] != 0x0A { end += 1 }
            position.number += 1
            switch ConfigurationLine(start..<end, in: text) {
            case .empty: break
            case .unreadable: throw ConfigurationFault(position, "is not a section or a key and its value")
            case .section(let name):
                guard Configuration.isSection(text.extracting(name)) else {
                    throw ConfigurationFault(position, "unknown section")
                }
                section = name
            case .setting(let key, let value):
                try read(text, key, value, section, position)
            }
            start = end + 1
        }
    }

    private mutating func read(
        _ text: Span<UInt8>, _ key: Range<Int>, _ value: Range<Int>, _ section: Range<Int>?,
        _ position: ConfigurationFault.Position
    ) throws(ConfigurationFault) {
        guard let option = ConfigurationOption.named(text.extracting(key)) else {
            throw ConfigurationFault(position, unknownKey: text.extracting(key))
        }
        guard let home = option.row.section else { throw ConfigurationFault(position, "is an argument only", option) }
        if let section, !home.matches(text.extracting(section)) {
            throw ConfigurationFault(position, "does not belong into this section", option)
        }
        if case .file = origin(of: option) { throw ConfigurationFault(position, "was set before", option) }
        try set(option, ByteText(text.extracting(value)), .file(line: position.number), position)
    }

    private static func isSection(_ name: Span<UInt8>) -> Bool {
        for option in ConfigurationOption.allCases {
            if let section = option.row.section, section.matches(name) { return true }
        }
        return false
    }
}
