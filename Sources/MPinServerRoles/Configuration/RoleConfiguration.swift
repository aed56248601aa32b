// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

package struct RoleConfiguration: Sendable {
    /// The public address without a trailing slash. Nil: the client settings contain only paths, which clients
    /// complete.
    package var publicURL: String?
    package var serviceName = "M-Pin login"
    /// Wrong PINs in a row after which a registration is blocked.
    package var maxInvalidLoginAttempts = 3
    /// Wrong PINs within the days below after which a registration is blocked, regardless of right PINs between them.
    package var maxRecentWrongAttempts = 100
    package let recentWrongDays = 30
    /// Whether a registration without a code is kept, inactive, until a code comes with a restart.
    package var holdUnverified = false
    package var verification = Verification.invitation
    /// The address of the application for ``Verification/hook``: `https://`, or `http://` on this host.
    package var verificationURL: String?
    /// CA certificates for a second authority on another host that replace the host's.
    package var secondAuthorityFile: String?
    package var mail = MailConfiguration()
    package var legacy = LegacyPolicy.allow
    /// Whether such registrations can log in.
    package var acceptsMilagro: Bool { legacy != .refuse }
    /// Seconds until the secret of a registration must have been fetched.
    package var registrationSeconds = 3_600
    /// Seconds for which an invitation is valid unless the command sets another time.
    package var invitationSeconds = 86_400
    /// Failed attempts that a source may make at once, and waiting sessions that it may open.
    package var failuresPerSource = 30
    /// Seconds after which a source may make one more.
    package var failureRefillSeconds = 2
    /// Seconds for which an access number, or the code behind a link, is valid.
    package var accessNumberSeconds = 120
    /// Seconds for which a device waits for the session that it has approved.
    package let holdSeconds = 10
    /// Seconds for which a one-time password is valid.
    package var passwordSeconds = 60
    package var sessionSeconds = 28_800
    /// Seconds for which an ssh certificate is valid.
    package var sshCertificateSeconds = 28_800
    /// Seconds without a request after which a browser's session ends.
    package let sessionIdleSeconds = 1_800
    /// The address of a picture that devices show next to the name; may be empty.
    package var serviceLogoURL = ""

    package init() {}

    package var attemptLimits: AttemptLimits {
        AttemptLimits(inARow: maxInvalidLoginAttempts, recent: maxRecentWrongAttempts, days: recentWrongDays)
    }
}

/// How the server treats registrations without a device key, which log in by two passes as in 2016.
package enum LegacyPolicy: String, Sendable {
    /// Accepts new ones, and all can log in.
    case allow
    /// Existing ones can log in; new ones are refused.
    case enrolled
    /// Refuses new ones, and treats existing ones as unknown.
    case refuse
}

/// How mails are sent, and to whom.
package struct MailConfiguration: Sendable {
    /// `smtp://HOST[:PORT]` or `smtps://HOST[:PORT]`.
    package var server: String?
    /// The user name for the mail server; nil for no authentication.
    package var user: String?
    /// A file with the password, which only its owner may read.
    package var passwordFile: String?
    /// CA certificates for the mail server that replace the host's.
    package var certificateFile: String?
    package var from: String?
    /// The domains to which mails are sent; empty for all.
    package var domains: [String] = []
    /// Mails to one mailbox in a day.
    package var perMailbox = 8
    /// Mails that one source causes in an hour.
    package var perSource = 30

    init() {}
}

extension RoleConfiguration {
    /// Who verifies registrations without an invitation.
    package enum Verification: String {
        /// They are refused.
        case invitation
        /// The reader of the mail address that is the user ID.
        case mail
        /// An application of the site.
        case hook
    }

    var verifiesByMail: Bool { verification == .mail }
    var verifiesByHook: Bool { verification == .hook }

    /// Whether a registration needs a code of an administrator, or of a device that began with one.
    var admitsByCodesOnly: Bool { verification == .invitation && !holdUnverified }

    /// Throws the reason why the verification cannot work with the other settings.
    package func checkVerification() throws(ServerError) {
        _ = try mailServer()
        _ = try hookURL()
    }

    /// The mail server for the verification by mail; nil for another verification.
    func mailServer() throws(ServerError) -> MailServer? { verifiesByMail ? try MailServer(mail) : nil }

    /// The address of the site's application; nil for another verification.
    func hookURL() throws(ServerError) -> String? {
        guard verifiesByHook else { return nil }
        guard let url = verificationURL else {
            throw ServerError(
                .configuration, "'verify = hook' needs the application's address",
                hint: "Set verify_url in server.conf.")
        }
        return url
    }
}
