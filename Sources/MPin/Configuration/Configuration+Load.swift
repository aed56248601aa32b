internal import CMPinSystem
package import MPinWire

extension Configuration {
    /// The configuration of this machine, with the arguments of a module or of a program over it.
    ///
    /// The file is the one `conf` names, which must be there, or the standard one, which may be missing altogether. It
    /// has to belong to root or to the process's own user, in directories that nobody else can change, and must not be
    /// writable by others. Whatever is wrong anywhere is a fault; nothing is passed over.
    /// - Parameter arguments: `key=value`, or the bare name of a flag.
    public static func load(arguments: [String]) throws(ConfigurationFault) -> Configuration {
        try load(arguments: arguments.map { Text($0) })
    }

    /// The same from texts that are no strings.
    package static func load(arguments: [Text]) throws(ConfigurationFault) -> Configuration {
        var named = Configuration()
        try named.read(arguments: arguments)
        let isNamed: Bool
        if case .argument = named.origin(of: .conf) { isNamed = true } else { isNamed = false }

        var configuration = Configuration()
        let path = named.value(.conf) ?? Text()
        if let text = try content(of: path, mayBeMissing: !isNamed) { try configuration.read(text.span, path: path) }
        try configuration.read(arguments: arguments)
        try configuration.checkTogether()
        return configuration
    }

    /// The configuration a text and arguments make together, without looking at the machine.
    package static func parse(
        _ text: Span<UInt8>, path: String, arguments: [String]
    ) throws(ConfigurationFault) -> Configuration {
        var configuration = Configuration()
        try configuration.read(text, path: Text(path))
        try configuration.read(arguments: arguments.map { Text($0) })
        try configuration.checkTogether()
        return configuration
    }

    private static func content(of path: Text, mayBeMissing: Bool) throws(ConfigurationFault) -> [UInt8]? {
        // Group and others may read a configuration, not write it.
        let file = unsafe mpin_path_open(path.cString, 0o022, fileLimit)
        if file == -Int32(MPIN_ENOENT) && mayBeMissing { return nil }
        guard file >= 0 else { throw fault(file, path) }
        defer { mpin_descriptor_close(file) }
        var bytes = [UInt8](repeating: 0, count: fileLimit)
        let count = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe mpin_file_read(file, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { throw fault(count, path) }
        bytes.removeLast(bytes.count - Int(count))
        return bytes
    }

    private static func fault(_ code: Int32, _ path: Text) -> ConfigurationFault {
        switch StoreError(code: code) {
        case .unsafe(let reason): ConfigurationFault(ConfigurationFault.Spot(file: path), reason)
        case .notPermitted: ConfigurationFault(ConfigurationFault.Spot(file: path), "may not be read by this user")
        default:
            code == -Int32(MPIN_ENOENT)
                ? ConfigurationFault(ConfigurationFault.Spot(file: path), "does not exist")
                : ConfigurationFault(ConfigurationFault.Spot(file: path), "cannot be read")
        }
    }
}
