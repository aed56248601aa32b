// SPDX-License-Identifier: Apache-2.0

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
    /// The sender's address.
    package var from: String?
    /// The domains to which mails are sent; empty for all.
    package var domains: [String] = []
    /// Mails to one mailbox in a day.
    package var perMailbox = 8
    /// Mails that one source causes in an hour.
    package var perSource = 30

    init() {}
}
