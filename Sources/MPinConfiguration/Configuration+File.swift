// SPDX-License-Identifier: Apache-2.0
internal import ConfigurationSyntax
internal import MPinWire

extension Configuration {
    /// The largest file that is read, in bytes.
    static let fileLimit = 65_536

    /// Reads the text of a file in the format of ``ConfigurationReader``. Its values replace earlier ones.
    ///
    /// - Parameters:
    ///   - text: the content.
    ///   - path: the file, for messages.
    mutating func read(_ text: Span<UInt8>, path: ByteText) throws(ConfigurationError) {
        var position = ConfigurationError.Position(file: path)
        guard text.count <= Configuration.fileLimit else { throw ConfigurationError(position, "is too large") }
        var section: Range<Int>?
        var reader = ConfigurationReader()
        while let line = reader.next(in: text) {
            position.number = reader.number
            switch line {
            case .empty: break
            case .unquotedHash: throw ConfigurationError(position, "a value with # needs double quotes")
            case .misquoted, .unreadable:
                throw ConfigurationError(position, "is neither [section] nor key = value", kind: .malformedLine)
            case .section(let name):
                guard Configuration.isSection(text.extracting(name)) else {
                    throw ConfigurationError(position, "unknown section")
                }
                section = name
            case .setting(let key, let value):
                try read(text, key, value, section, position)
            }
        }
    }

    private mutating func read(
        _ text: Span<UInt8>, _ key: Range<Int>, _ value: Range<Int>, _ section: Range<Int>?,
        _ position: ConfigurationError.Position
    ) throws(ConfigurationError) {
        guard let option = ConfigurationOption.named(text.extracting(key)) else {
            throw ConfigurationError(position, unknownKey: text.extracting(key))
        }
        guard let home = option.row.section else {
            throw ConfigurationError(position, "is allowed only as an argument", option)
        }
        if let section, !home.matches(text.extracting(section)) {
            throw ConfigurationError(position, "is in the wrong section", option, kind: .wrongSection)
        }
        if case .file = origin(of: option) { throw ConfigurationError(position, "is set twice", option) }
        try set(option, ByteText(text.extracting(value)), .file(line: position.number), position)
    }

    private static func isSection(_ name: Span<UInt8>) -> Bool {
        for option in ConfigurationOption.allCases {
            if let section = option.row.section, section.matches(name) { return true }
        }
        return false
    }
}
