/// The mails that activate registrations, and the limits on them.
package protocol MailStorage: Sendable {
    /// Counts a mail that is about to be sent, unless a limit is reached: first the limit of its source, then the
    /// total.
    ///
    /// - Returns: nil, or in how many seconds there may be another one.
    func countMail(to mailbox: String, source: String, now: Int64, limits: MailLimits) throws(ServerError)
        -> Int64?

    /// Stores the hashes by which a mail will be recognized.
    func addMail(_ mail: NewMail, now: Int64) throws(ServerError)

    /// Activates a registration if the digits are those of its newest mail; otherwise counts them.
    ///
    /// - Parameters:
    ///   - digits: their keyed hash.
    ///   - source: who typed them, and is counted first.
    func activateRegistration(
        _ registration: [UInt8], digits: [UInt8], mailbox: String, source: String, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DigitsVerdict

    /// The registration behind a link that can still be activated.
    func registration(ofLink link: [UInt8], now: Int64) throws(ServerError) -> LinkedRegistration?

    /// Activates the registration behind a link, once.
    ///
    /// - Returns: false, and nothing changed, when there is none that waits.
    func activateRegistration(ofLink link: [UInt8], now: Int64, event: (String) -> AuditEvent) throws(ServerError)
        -> Bool

    /// Activates a registration that waits.
    ///
    /// - Returns: false, and nothing changed, when it does not.
    func activateRegistration(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool

    /// Whether the registration behind a link that has not expired is confirmed already, by this link or otherwise.
    func isConfirmed(ofLink link: [UInt8], now: Int64) throws(ServerError) -> Bool
}
