internal import Logging

/// The settings of a server.
public struct ServerConfiguration: Sendable {
    /// The address the world sees, without a trailing slash; nil: settings carry paths only, which clients complete.
    public var publicURL: String?
    /// What the server calls itself on its page.
    public var serviceName = "M-Pin login"
    /// Wrong PINs in a row after which a registration is blocked.
    public var maxInvalidLoginAttempts = 3
    /// Wrong PINs within the days below after which a registration is blocked, whatever right ones were among them.
    public var maxRecentWrongAttempts = 100
    /// How many days those are.
    public var recentWrongDays = 30
    /// Whether a registration without a code is activated at once. For experiments: any client can register as any
    /// user.
    public var forceActivate = false
    /// Whether a registration without a code is kept, inactive, until a code comes with a restart.
    public var holdUnverified = false
    /// Whether a registration without a code, of a user ID that is a mail address, is kept until its mail is answered.
    public var verifiesByMail = false
    /// Whether an application of the site decides about registrations without an invitation.
    public var verifiesByHook = false
    /// The address of that application.
    public var hook = HookConfiguration()
    /// CA certificates for a second authority on another host, in place of the host's.
    public var secondAuthorityFile: String?
    /// How mails are sent.
    public var mail = MailConfiguration()
    /// What becomes of registrations without a device's key.
    var legacy = LegacyPolicy.allow
    /// Seconds a registration has until its secret is fetched.
    public var registrationSeconds = 3_600
    /// Seconds an invitation is good for unless the command says otherwise.
    public var invitationSeconds = 86_400
    /// Days for which the audit log is kept; 0 for ever.
    public var auditDays = 400
    /// Failed attempts a source may make at once.
    public var failuresPerSource = 30
    /// Seconds after which a source has one more.
    public var failureRefillSeconds = 2
    /// Seconds an access number, or the code behind a link, is good.
    public var accessNumberSeconds = 120
    /// Waiting sessions a source may open at once; like failures, one more after each refill time.
    public var accessNumbersPerSource = 30
    /// Seconds a device waits for the session that it has let in.
    public var holdSeconds = 10
    /// Seconds a one-time password is good.
    public var passwordSeconds = 60
    /// Seconds a browser's session lasts.
    public var sessionSeconds = 28_800
    /// Seconds without a request after which a browser's session ends.
    public var sessionIdleSeconds = 1_800
    /// The address of a picture that devices show beside the name; may be empty.
    public var serviceLogoURL = ""
    /// The proxies whose last `X-Forwarded-For` names the source.
    public var proxies = TrustedProxies()
    /// Connections there may be in all.
    public var maxConnections = 2_048
    /// Connections a source may have.
    public var connectionsPerSource = 128
    /// The TPM that the sealing key is sealed to, as CTPM names it.
    public var tpmDevice = "device:/dev/tpmrm0"

    /// How the log is written.
    var logFormat = LogFormat.text
    /// The least that is logged. More detail than `notice` could show the M-Pin IDs in paths.
    var logLevel = Logger.Level.notice
    /// The path of the status socket; nil for none.
    public var statusSocket: String?

    public init() {}
}
