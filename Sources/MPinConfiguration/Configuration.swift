// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The configuration of this machine, and of one line of a PAM stack.
package struct Configuration: Sendable {
    /// How to handle a password that another module of the stack has already asked for.
    package enum FirstPass: Sendable {
        case ignored
        /// Use it if it is shaped like a PIN; otherwise ask.
        case tried
        /// Use it, and fail if it is not shaped like a PIN.
        case required
    }

    /// Where a value comes from.
    package enum Origin: Sendable {
        case standard
        /// A line of the file, counted from 1.
        case file(line: Int)
        case argument
    }

    /// A valid value of an option.
    private final class Setting: Sendable {
        let text: ByteText
        let origin: Origin

        init(_ text: ByteText, _ origin: Origin) {
            self.text = text
            self.origin = origin
        }
    }

    /// The values that are set, in the order of the options; nil for the default.
    private var settings = [Setting?](repeating: nil, count: ConfigurationOption.allCases.count)

    package init() {}

    /// Where the value of an option comes from.
    package func origin(of option: ConfigurationOption) -> Origin { settings[option.rawValue]?.origin ?? .standard }

    mutating func assign(_ option: ConfigurationOption, _ text: ByteText, _ origin: Origin) {
        settings[option.rawValue] = Setting(text, origin)
    }

    /// The value of an option, or its default; nil if there is none.
    @inline(never)
    package func value(_ option: ConfigurationOption) -> ByteText? {
        if let setting = settings[option.rawValue] { return setting.text }
        let standard = option.row.standard.text
        return standard.isEmpty ? nil : standard
    }

    @inline(never)
    func isYes(_ option: ConfigurationOption) -> Bool { value(option)?.matches("yes") ?? false }
}

// The options as strings, for applications and display.
extension Configuration {
    /// The configuration of this machine; see ``load(arguments:)``.
    package static func load(arguments: [String]) throws(ConfigurationError) -> Configuration {
        try load(arguments: arguments.map { ByteText($0) })
    }

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

    package var store: String { value(.store)?.string ?? "" }

    /// The socket of mpin-agent, or `none`.
    package var agentSocket: String { value(.agent)?.string ?? "" }

    /// The prompt that replaces the module's own.
    package var prompt: String? { value(.prompt)?.string }

    /// Services that take users from this machine only.
    package var localServices: [String] { Configuration.names(in: value(.localServices) ?? "").map { $0.string } }

    /// The file that is read without `conf`.
    package static var standardFile: String { Configuration().file }

    /// The value of an option as text; empty if it is not set.
    package func text(of option: ConfigurationOption) -> String {
        switch option {
        case .timeout: "\(timeoutSeconds)"
        case .localServices: localServices.joined(separator: ",")
        default: value(option)?.string ?? ""
        }
    }
}

extension ConfigurationOption {
    /// The name, which is the same in the file and as an argument.
    package var name: String { row.name.text.string }

    package var isInFile: Bool { row.section != nil }
}
