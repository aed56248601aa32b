/// Reads `server.conf`: lines of `key = value`, comments after `#`, any key at most once.
///
/// Upper case, `_` and `-` in keys do not matter, so that the names of the 2016 server work as well.
public enum ConfigurationFile {
    /// Reads a text.
    ///
    /// - Parameter name: the file's name, for messages.
    /// - Throws: ``ServerFault`` of kind `configuration` that names file and line, for the first fault there is.
    public static func parse(_ text: String, name: String) throws(ServerFault) -> ServerConfiguration {
        let (configuration, faults) = read(text, name: name)
        if let fault = faults.first { throw fault }
        return configuration
    }

    /// Reads a text to its end.
    ///
    /// - Returns: what is said in it, and everything that is wrong with it, each with file and line.
    static func read(_ text: String, name: String) -> (configuration: ServerConfiguration, faults: [ServerFault]) {
        var configuration = ServerConfiguration()
        var faults: [ServerFault] = []
        var seen: Set<String> = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let place = "\(name):\(index + 1)"
            let content = trimmed(line.prefix { $0 != "#" })
            if content.isEmpty { continue }
            do throws(ServerFault) {
                guard let equals = content.firstIndex(of: "=") else {
                    throw ServerFault(.configuration, "\(place): expected 'key = value'")
                }
                let written = trimmed(content[..<equals])
                let key = written.lowercased().filter { $0 != "_" && $0 != "-" }
                guard seen.insert(key).inserted else {
                    throw ServerFault(.configuration, "\(place): '\(written)' is set twice")
                }
                try set(
                    key, as: String(written), to: trimmed(content[content.index(after: equals)...]), at: place,
                    in: &configuration)
            } catch {
                faults.append(error)
            }
        }
        return (configuration, faults)
    }

    private static func set(
        _ key: String, as written: String, to value: String, at place: String,
        in configuration: inout ServerConfiguration
    ) throws(ServerFault) {
        func number(_ range: ClosedRange<Int>) throws(ServerFault) -> Int {
            guard let number = Int(value), range ~= number else {
                throw ServerFault(
                    .configuration,
                    "\(place): '\(written)' must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        func flag() throws(ServerFault) -> Bool {
            switch value.lowercased() {
            case "yes", "true", "on", "1": return true
            case "no", "false", "off", "0": return false
            default: throw ServerFault(.configuration, "\(place): '\(written)' must be yes or no")
            }
        }
        switch key {
        case "publicurl": configuration.publicURL = value.isEmpty ? nil : try PublicURL.checked(value, at: place)
        case "servicename": configuration.serviceName = value
        case "maxinvalidloginattempts": configuration.maxInvalidLoginAttempts = try number(1...100)
        case "maxrecentwrongattempts": configuration.maxRecentWrongAttempts = try number(1...1_000_000)
        case "recentwrongdays": configuration.recentWrongDays = try number(1...366)
        case "forceactivate": configuration.forceActivate = try flag()
        case "holdunverified": configuration.holdUnverified = try flag()
        case "registrationttl", "verifyuserexpireseconds": configuration.registrationSeconds = try number(60...604_800)
        case "invitationttl": configuration.invitationSeconds = try number(1...31_536_000)
        case "auditdays": configuration.auditDays = try number(0...36_500)
        case "failurespersource": configuration.failuresPerSource = try number(1...1_000_000)
        case "failurerefillseconds": configuration.failureRefillSeconds = try number(1...86_400)
        case "accessnumberttl", "accessnumberexpireseconds":
            configuration.accessNumberSeconds = try number(1...3_600)
        case "accessnumberspersource": configuration.accessNumbersPerSource = try number(1...1_000_000)
        case "accessnumberhold": configuration.holdSeconds = try number(1...10)
        case "otpttl": configuration.passwordSeconds = try number(1...600)
        case "sessionttl": configuration.sessionSeconds = try number(60...2_592_000)
        case "sessionidlettl": configuration.sessionIdleSeconds = try number(60...2_592_000)
        case "servicelogourl", "serviceiconurl": configuration.serviceLogoURL = value
        case "maxconnections": configuration.maxConnections = try number(16...1_000_000)
        case "connectionspersource": configuration.connectionsPerSource = try number(1...1_000_000)
        case "trustedproxy":
            guard let proxies = TrustedProxies(value) else {
                throw ServerFault(
                    .configuration, "\(place): '\(written)' must be yes, no, or users of this host",
                    hint:
                        "Name the users as whom proxies connect to the socket, by name or number: trusted_proxy = www-data"
                )
            }
            configuration.proxies = proxies
        default:
            func fault(_ expected: String) -> ServerFault {
                ServerFault(.configuration, "\(place): '\(written)' must be \(expected)")
            }
            if try setMail(key, to: value, in: &configuration, fault: fault) { return }
            guard try setHook(key, to: value, in: &configuration, fault: fault) else {
                throw ServerFault(.configuration, "\(place): unknown key '\(written)'")
            }
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var slice = text[...]
        while let first = slice.first, first.isWhitespace { slice = slice.dropFirst() }
        while let last = slice.last, last.isWhitespace { slice = slice.dropLast() }
        return String(slice)
    }
}
