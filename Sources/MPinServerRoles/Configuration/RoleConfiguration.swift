/// The settings that the roles go by.
package struct RoleConfiguration: Sendable {
    /// The address the world sees, without a trailing slash; nil: settings carry paths only, which clients complete.
    package var publicURL: String?
    /// What the server calls itself on its page.
    package var serviceName = "M-Pin login"
    /// Wrong PINs in a row after which a registration is blocked.
    package var maxInvalidLoginAttempts = 3
    /// Wrong PINs within the days below after which a registration is blocked, whatever right ones were among them.
    package var maxRecentWrongAttempts = 100
    /// How many days those are.
    package var recentWrongDays = 30
    /// Whether a registration without a code is activated at once. For experiments: any client can register as any
    /// user.
    package var forceActivate = false
    /// Whether a registration without a code is kept, inactive, until a code comes with a restart.
    package var holdUnverified = false
    /// Whether a registration without a code, of a user ID that is a mail address, is kept until its mail is answered.
    package var verifiesByMail = false
    /// Whether an application of the site decides about registrations without an invitation.
    package var verifiesByHook = false
    /// The address of that application.
    package var hook = HookConfiguration()
    /// CA certificates for a second authority on another host, in place of the host's.
    package var secondAuthorityFile: String?
    /// How mails are sent.
    package var mail = MailConfiguration()
    /// What becomes of registrations without a device's key.
    package var legacy = LegacyPolicy.allow
    /// Seconds a registration has until its secret is fetched.
    package var registrationSeconds = 3_600
    /// Seconds an invitation is good for unless the command says otherwise.
    package var invitationSeconds = 86_400
    /// Failed attempts a source may make at once.
    package var failuresPerSource = 30
    /// Seconds after which a source has one more.
    package var failureRefillSeconds = 2
    /// Seconds an access number, or the code behind a link, is good.
    package var accessNumberSeconds = 120
    /// Waiting sessions a source may open at once; like failures, one more after each refill time.
    package var accessNumbersPerSource = 30
    /// Seconds a device waits for the session that it has let in.
    package var holdSeconds = 10
    /// Seconds a one-time password is good.
    package var passwordSeconds = 60
    /// Seconds a browser's session lasts.
    package var sessionSeconds = 28_800
    /// Seconds without a request after which a browser's session ends.
    package var sessionIdleSeconds = 1_800
    /// The address of a picture that devices show beside the name; may be empty.
    package var serviceLogoURL = ""

    package init() {}
}
