// SPDX-License-Identifier: Apache-2.0
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
}
