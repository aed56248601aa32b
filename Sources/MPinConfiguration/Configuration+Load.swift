// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
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
