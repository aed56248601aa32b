extension Configuration {
    /// The largest file that is read, in bytes.
    static let fileLimit = 65_536

    /// Reads the text of a file over what is settled already.
    ///
    /// `key = value` on a line of its own, below the `[section]` the key belongs to or above all sections. `#` at the
    /// start of a line, or after white space behind a value, begins a comment. A value with `#` or with white space at
    /// its ends stands in double quotes. The last line needs no end.
    /// - Parameters:
    ///   - text: the content.
    ///   - path: the file, for messages.
    mutating func read(_ text: Span<UInt8>, path: String) throws(ConfigurationFault) {
        guard text.count <= Configuration.fileLimit else { throw ConfigurationFault(.file(path), "is too large") }
        let bytes = text.indices.map { text[$0] }
        var section: [UInt8]?
        var seen: [ConfigurationOption] = []
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let place = ConfigurationFault.Place.line(number, file: path)
            let content = ConfigurationLine(line)
            switch content {
            case .empty: continue
            case .unreadable: throw ConfigurationFault(place, "is not a section or a key and its value")
            case .section(let name):
                guard Configuration.isSection(name) else { throw ConfigurationFault(place, "unknown section") }
                section = name
            case .setting(let key, let value):
                guard let option = ConfigurationOption.named(key) else {
                    throw ConfigurationFault(place, "unknown key")
                }
                guard let home = option.section else { throw ConfigurationFault(place, "is an argument only", option) }
                if let section, !home.matches(bytes: section) {
                    throw ConfigurationFault(place, "does not belong into this section", option)
                }
                guard !seen.contains(option) else { throw ConfigurationFault(place, "was set before", option) }
                if let fault = set(option, value) { throw ConfigurationFault(place, fault, option) }
                seen.append(option)
                setOrigin(.file(line: number), of: option)
            }
        }
    }

    private static func isSection(_ name: [UInt8]) -> Bool {
        ConfigurationOption.allCases.contains { $0.section?.matches(bytes: name) ?? false }
    }
}
