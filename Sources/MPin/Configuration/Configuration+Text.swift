extension Configuration {
    /// The value of an option as it would be written; empty for none.
    public func text(of option: ConfigurationOption) -> String {
        switch option {
        case .conf: file
        case .server: server ?? ""
        case .caFile: caFile ?? ""
        case .serverUser: serverUser
        case .timeout: "\(timeoutSeconds)"
        case .store: store
        case .prompt: prompt ?? ""
        case .guardLast: guardLast ? "yes" : "no"
        case .ignoreUnenrolled: ignoreUnenrolled ? "yes" : "no"
        case .userMap: userMap?.template ?? ""
        case .tryFirstPass: firstPass == .tried ? "yes" : "no"
        case .useFirstPass: firstPass == .required ? "yes" : "no"
        case .method: method?.name.text ?? ""
        case .remoteServices: listed(remoteServices)
        case .sudoOverSSH: sudoOverSSH?.name.text ?? ""
        case .undetermined: undetermined.name.text
        case .debug: debug ? "yes" : "no"
        }
    }

    private func listed(_ names: [String]) -> String {
        var text = ""
        for name in names { text += text.utf8.isEmpty ? name : "," + name }
        return text
    }

    /// How the server is reached and recognised.
    public var transport: TransportOptions {
        var options = TransportOptions()
        options.timeoutMilliseconds = timeoutSeconds * 1000
        options.caFile = caFile
        options.serverUser = serverUser
        return options
    }
}
