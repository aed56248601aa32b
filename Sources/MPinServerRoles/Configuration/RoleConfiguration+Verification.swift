// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

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

    package var verification: Verification {
        get { verifiesByMail ? .mail : verifiesByHook ? .hook : .invitation }
        set { (verifiesByMail, verifiesByHook) = (newValue == .mail, newValue == .hook) }
    }

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
