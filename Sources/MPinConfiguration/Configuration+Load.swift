// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import ConfigurationSyntax
internal import MPin
package import MPinWire

extension Configuration {
    /// The configuration of this machine, overridden by the arguments of a module or of a program.
    ///
    /// The file is the one that `conf` names, which must exist, or the standard one, which may be missing. It must
    /// belong to root or to the process's own user, in directories that no other user can change, and must not be
    /// writable by others. Every error is reported; none is skipped.
    /// - Parameter arguments: `key=value`, or the bare name of a flag.
    package static func load(arguments: [ByteText]) throws(ConfigurationError) -> Configuration {
        var named = Configuration()
        try named.read(arguments: arguments)
        let isNamed: Bool
        if case .argument = named.origin(of: .conf) { isNamed = true } else { isNamed = false }

        var configuration = Configuration()
        let path = named.value(.conf) ?? ByteText()
        try configuration.readFile(path, mayBeMissing: !isNamed)
        try configuration.read(arguments: arguments)
        try configuration.checkTogether()
        if let authority = configuration.value(.caFile) { try check(authority) }
        return configuration
    }

    /// The configuration from a text and arguments, without reading the machine.
    package static func parse(
        _ text: Span<UInt8>, path: ByteText, arguments: [ByteText]
    ) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration()
        try configuration.read(text, path: path)
        try configuration.read(arguments: arguments)
        try configuration.checkTogether()
        return configuration
    }

    private mutating func readFile(_ path: ByteText, mayBeMissing: Bool) throws(ConfigurationError) {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe mpin_path_load(path.cString, Configuration.othersWrite, Configuration.fileLimit, &bytes)
        if count == -Int32(MPIN_ENOENT) && mayBeMissing { return }
        guard count >= 0, let start = unsafe bytes else { throw Configuration.fault(count, path) }
        defer { unsafe mpin_bytes_free(&bytes) }
        try unsafe read(Span(_unsafeStart: start, count: Int(count)), path: path)
    }

    /// The group and others may read the files that decide a login, but not write them.
    private static var othersWrite: UInt32 { 0o022 }

    /// Checks the file of CA certificates before a PIN is asked for.
    private static func check(_ path: ByteText) throws(ConfigurationError) {
        let file = unsafe mpin_path_open(path.cString, othersWrite, 1 << 20)
        guard file >= 0 else { throw fault(file, path) }
        mpin_descriptor_close(file)
    }

    private static func fault(_ code: Int32, _ path: ByteText) -> ConfigurationError {
        let position = ConfigurationError.Position(file: path)
        switch StoreError(code: code) {
        case .unsafe(let reason): return ConfigurationError(position, Constant(reason))
        case .notPermitted: return ConfigurationError(position, "may not be read by this user", kind: .notPermitted)
        default: break
        }
        switch -Int(code) {
        case MPIN_ENOENT: return ConfigurationError(position, "does not exist", kind: .missing)
        case MPIN_ENOMEM: return ConfigurationError(position, "cannot be read: out of memory", kind: .shortage)
        case MPIN_EMFILE, MPIN_ENFILE:
            return ConfigurationError(position, "cannot be read: too many open files", kind: .shortage)
        default: return ConfigurationError(position, "cannot be read")
        }
    }
}

extension Configuration {
    /// The largest file that is read, in bytes.
    static let fileLimit = 65_536

    /// Reads the text of a file in the format of ``ConfigurationReader``. Its values replace earlier ones.
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
            case .setting(let key, let value): try read(text, key, value, section, position)
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

extension Configuration {
    /// Reads arguments, `key=value` or the bare key of a flag. Their values replace earlier ones.
    mutating func read(arguments: [ByteText]) throws(ConfigurationError) {
        var position = ConfigurationError.Position()
        for argument in arguments {
            position.number += 1
            try read(argument.bytes.span, position)
        }
    }

    private mutating func read(
        _ argument: Span<UInt8>, _ position: ConfigurationError.Position
    ) throws(ConfigurationError) {
        guard argument.count <= 4096, Configuration.isText(argument) else {
            throw ConfigurationError(position, "is not text, or is too long")
        }
        var length = 0
        while length < argument.count, argument[length] != UInt8(ascii: "=") { length += 1 }
        guard let option = ConfigurationOption.named(argument.extracting(0..<length)) else {
            throw ConfigurationError(position, "unknown option")
        }
        var value: ByteText = "yes"
        if length < argument.count {
            value = ByteText(argument.extracting((length + 1)..<argument.count))
        } else if option.row.kind != .flag {
            throw ConfigurationError(position, "needs a value", option)
        }
        if case .argument = origin(of: option) { throw ConfigurationError(position, "is set twice", option) }
        try set(option, value, .argument, position)
    }

    private static func isText(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { return false }
        return UTF8Sequence.isWellFormed(bytes)
    }

    /// Finds settings that contradict each other.
    func checkTogether() throws(ConfigurationError) {
        guard isYes(.tryFirstPass), isYes(.useFirstPass) else { return }
        throw ConfigurationError(.init(), "try_first_pass and use_first_pass cannot be combined")
    }
}
