internal import MPinWire

// The options as applications and people read them.
extension Configuration {
    /// The configuration of this machine; see ``load(arguments:)``.
    package static func load(arguments: [String]) throws(ConfigurationFault) -> Configuration {
        try load(arguments: arguments.map { ByteText($0) })
    }

    /// The configuration a text and arguments make together.
    package static func parse(
        _ text: Span<UInt8>, path: String, arguments: [String]
    ) throws(ConfigurationFault) -> Configuration {
        try parse(text, path: ByteText(path), arguments: arguments.map { ByteText($0) })
    }

    /// The file that was read, or would have been.
    package var file: String { value(.conf)?.string ?? "" }

    /// The server, `https:` or `unix:`; nil leaves it to each registration.
    package var server: String? { value(.server)?.string }

    /// A file with the CA certificates to trust; nil for the system's.
    package var caFile: String? { value(.caFile)?.string }

    /// The account whose server is trusted at a Unix socket.
    package var serverUser: String { value(.serverUser)?.string ?? "" }

    /// The directory of the tokens.
    package var store: String { value(.store)?.string ?? "" }

    /// The socket of mpin-agent, or `none`.
    package var agentSocket: String { value(.agent)?.string ?? "" }

    /// The prompt that replaces the module's own.
    package var prompt: String? { value(.prompt)?.string }

    /// Services whose people are remote in any case.
    package var remoteServices: [String] { Configuration.names(in: value(.remoteServices) ?? "").map { $0.string } }

    /// The file that is read without `conf`.
    package static var standardFile: String { Configuration().file }

    /// The value of an option as it would be written; empty for none.
    package func text(of option: ConfigurationOption) -> String {
        switch option {
        case .timeout: "\(timeoutSeconds)"
        case .remoteServices: remoteServices.joined(separator: ",")
        default: value(option)?.string ?? ""
        }
    }
}

extension ConfigurationOption {
    /// The name, the same in the file and as an argument.
    package var name: String { row.name.text.string }

    /// The section of the file that it stands in.
    package var sectionName: String? { row.section?.text.string }

    /// Whether it may stand in the file.
    package var isInFile: Bool { row.section != nil }
}
