/// How mails are sent, and to whom.
public struct MailConfiguration: Sendable {
    /// `smtp://HOST[:PORT]` or `smtps://HOST[:PORT]`.
    public var server: String?
    /// Whether `smtp://` goes without TLS; for a server on this host alone. Nil: exactly there.
    public var isClear: Bool?
    /// The user name for the mail server; nil for no authentication.
    public var user: String?
    /// A file with the password, which only its owner may read.
    public var passwordFile: String?
    /// CA certificates for the mail server, in place of the host's.
    public var certificateFile: String?
    /// The address mails come from.
    public var from: String?
    /// The domains mails go to; empty for all.
    public var domains: [String] = []
    /// Mails to one mailbox in a day.
    public var perMailbox = 8
    /// Mails that one source causes in an hour.
    public var perSource = 30

    public init() {}
}

extension ConfigurationFile {
    /// Sets a key that is about mails.
    ///
    /// - Parameters:
    ///   - key: in lower case, without `_` and `-`.
    ///   - fault: makes an error that says what was expected.
    /// - Returns: false for any other key.
    static func setMail(
        _ key: String, to value: String, in configuration: inout ServerConfiguration, fault: (String) -> ServerFault
    ) throws(ServerFault) -> Bool {
        func number(_ range: ClosedRange<Int>) throws(ServerFault) -> Int {
            guard let number = Int(value), range ~= number else {
                throw fault("a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        switch key {
        case "verify":
            guard ["invitation", "mail", "hook"].contains(value) else { throw fault("invitation, mail or hook") }
            configuration.verifiesByMail = value == "mail"
            configuration.verifiesByHook = value == "hook"
        case "smtpurl":
            guard MailServer.Address(value) != nil else { throw fault("smtp://HOST[:PORT] or smtps://HOST[:PORT]") }
            configuration.mail.server = value
        case "smtptls":
            guard ["starttls", "none"].contains(value) else { throw fault("starttls or none") }
            configuration.mail.isClear = value == "none"
        case "smtpuser": configuration.mail.user = value
        case "smtppasswordfile": configuration.mail.passwordFile = value
        case "smtpcafile": configuration.mail.certificateFile = value
        case "mailfrom":
            guard MailAddress(value) != nil else { throw fault("a mail address") }
            configuration.mail.from = value
        case "maildomains":
            let domains = value.lowercased().split { $0 == "," || $0 == " " }.map(String.init)
            guard !domains.isEmpty, domains.allSatisfy({ MailAddress("x@\($0)") != nil }) else {
                throw fault("domains with commas between them")
            }
            configuration.mail.domains = domains
        case "mailspermailbox": configuration.mail.perMailbox = try number(1...1_000)
        case "mailspersource": configuration.mail.perSource = try number(1...1_000_000)
        default: return false
        }
        return true
    }
}
