// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

// The options as strings, for applications and display.
extension Configuration {
    /// The configuration of this machine; see ``load(arguments:)``.
    package static func load(arguments: [String]) throws(ConfigurationError) -> Configuration {
        try load(arguments: arguments.map { ByteText($0) })
    }

    /// The configuration from a text and arguments.
    package static func parse(
        _ text: Span<UInt8>, path: String, arguments: [String]
    ) throws(ConfigurationError) -> Configuration {
        try parse(text, path: ByteText(path), arguments: arguments.map { ByteText($0) })
    }

    /// The file that was read, or would have been if it existed.
    package var file: String { value(.conf)?.string ?? "" }

    /// The server, `https:` or `unix:`; nil uses that of each registration.
    package var server: String? { value(.server)?.string }

    /// PEM file with the CA certificates to trust; nil for the system's.
    package var caFile: String? { value(.caFile)?.string }

    /// The account whose server is trusted at a Unix socket.
    package var serverUser: String { value(.serverUser)?.string ?? "" }

    /// The directory with the tokens.
    package var store: String { value(.store)?.string ?? "" }

    /// The socket of mpin-agent, or `none`.
    package var agentSocket: String { value(.agent)?.string ?? "" }

    /// The prompt that replaces the module's own.
    package var prompt: String? { value(.prompt)?.string }

    /// Services whose logins are always remote.
    package var remoteServices: [String] { Configuration.names(in: value(.remoteServices) ?? "").map { $0.string } }

    /// The file that is read without `conf`.
    package static var standardFile: String { Configuration().file }

    /// The value of an option as text; empty if it is not set.
    package func text(of option: ConfigurationOption) -> String {
        switch option {
        case .timeout: "\(timeoutSeconds)"
        case .remoteServices: remoteServices.joined(separator: ",")
        default: value(option)?.string ?? ""
        }
    }
}

extension ConfigurationOption {
    /// The name, which is the same in the file and as an argument.
    package var name: String { row.name.text.string }

    /// The section of the option in the file.
    package var sectionName: String? { row.section?.text.string }

    /// Whether the option is allowed in the file.
    package var isInFile: Bool { row.section != nil }
}
