// SPDX-License-Identifier: Apache-2.0

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

    /// ``delays`` by the number of mails, as the branches of a CASE.
    static var delayCases: String {
        let branches = delays.dropLast().enumerated().map { "WHEN \($0.offset + 1) THEN \($0.element)" }
        return branches.joined(separator: " ") + " ELSE \(delays.last ?? 0)"
    }
}
