// SPDX-License-Identifier: Apache-2.0

/// The mails that activate registrations, and the limits on them.
package protocol MailStorage: Sendable {
    /// Counts a mail that is about to be sent, unless that exceeds a limit: first the limit of its source, then the
    /// total.
    ///
    /// - Returns: nil, or the number of seconds until another mail is possible.
    func countMail(to mailbox: String, source: String, now: Int64, limits: MailLimits) throws(ServerError) -> Int64?

    /// Stores the hashes by which a mail will be recognized.
    func addMail(_ mail: NewMail, now: Int64) throws(ServerError)

    /// Activates a registration if the digits are those of its newest mail. Otherwise counts the digits as wrong.
    ///
    /// - Parameters:
    ///   - digits: their keyed hash.
    ///   - source: the client that sent the digits.
    func activateRegistration(
        _ registration: [UInt8], digits: [UInt8], mailbox: String, source: String, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DigitsVerdict

    /// The registration behind a link that can still be activated.
    func registration(ofLink link: [UInt8], now: Int64) throws(ServerError) -> LinkedRegistration?

    /// Activates the registration behind a link, once.
    ///
    /// - Returns: false, and nothing changed, if no registration waits behind the link.
    func activateRegistration(ofLink link: [UInt8], now: Int64, event: (String) -> AuditEvent) throws(ServerError)
        -> Bool

    /// Activates a registration that waits to be verified.
    ///
    /// - Returns: false, and nothing changed, if it does not wait.
    func activateRegistration(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool

    /// Whether the registration behind an unexpired link has been activated already, by this link or in another way.
    func isConfirmed(ofLink link: [UInt8], now: Int64) throws(ServerError) -> Bool
}

/// The verdict on the digits of a mail.
package enum DigitsVerdict: Sendable {
    case right
    case wrong(triesLeft: Int)
    /// There were too many wrong digits for this mail, or there is no mail.
    case void
    /// There were too many wrong digits today, from this source or for this mailbox.
    case spent
}

/// What the page behind a link shows about a registration before the reader confirms it.
package struct LinkedRegistration: Sendable {
    package let user: String
    package let device: String
    package let source: String?
    package let created: Timestamp

    package init(user: String, device: String, source: String?, created: Timestamp) {
        (self.user, self.device, self.source, self.created) = (user, device, source, created)
    }
}
