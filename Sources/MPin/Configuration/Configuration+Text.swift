internal import MPinWire

// The options as applications and people read them.
extension Configuration {
    /// The file that was read, or would have been.
    public var file: String { value(.conf)?.string ?? "" }

    /// The server, `https:` or `unix:`; nil leaves it to each registration.
    public var server: String? { value(.server)?.string }

    /// A file with the CA certificates to trust; nil for the system's.
    public var caFile: String? { value(.caFile)?.string }

    /// The account whose server is trusted at a Unix socket.
    public var serverUser: String { value(.serverUser)?.string ?? "" }

    /// The directory of the tokens.
    public var store: String { value(.store)?.string ?? "" }

    /// What stands in the prompt in place of our own words.
    public var prompt: String? { value(.prompt)?.string }

    /// Services whose people are remote in any case.
    public var remoteServices: [String] { Configuration.names(in: value(.remoteServices) ?? "").map { $0.string } }

    /// The value of an option as it would be written; empty for none.
    public func text(of option: ConfigurationOption) -> String {
        switch option {
        case .timeout: "\(timeoutSeconds)"
        case .remoteServices: remoteServices.joined(separator: ",")
        default: value(option)?.string ?? ""
        }
    }
}
