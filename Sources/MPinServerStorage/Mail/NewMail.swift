// SPDX-License-Identifier: Apache-2.0

/// What the database stores about a mail that is about to be sent.
package struct NewMail: Sendable {
    /// Keyed hash of the token in its link.
    let link: [UInt8]
    /// Keyed hash of its digits.
    let digits: [UInt8]
    /// SHA-256 of the M-Pin ID it activates.
    let registration: [UInt8]
    let user: String
    /// The network address that began the registration, which the page behind the link shows; nil for a local source.
    let source: String?
    let expires: Int64

    package init(link: [UInt8], digits: [UInt8], registration: [UInt8], user: String, source: String?, expires: Int64) {
        (self.link, self.digits, self.registration, self.user) = (link, digits, registration, user)
        (self.source, self.expires) = (source, expires)
    }
}

/// The limits on mails that are sent for registrations.
package struct MailLimits: Sendable {
    /// Seconds between two mails to a mailbox that the same source causes: after the first, after the second, and after
    /// each further one of a day.
    static let delays: [Int64] = [30, 120, 600]

    let perMailboxAndDay: Int
    let perSourceAndHour: Int

    package init(perMailboxAndDay: Int, perSourceAndHour: Int) {
        self.perMailboxAndDay = perMailboxAndDay
        self.perSourceAndHour = perSourceAndHour
    }

    /// How many mails to a mailbox one source may cause in a day. The rest is for other sources, so that the owner of
    /// the mailbox still gets mails if this source is not the owner.
    var perMailboxSourceAndDay: Int { (perMailboxAndDay + 1) / 2 }
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
