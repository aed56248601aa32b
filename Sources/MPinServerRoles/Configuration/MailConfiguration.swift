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
