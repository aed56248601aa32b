/// The limits on mails that are sent for registrations.
package struct MailLimits: Sendable {
    /// Seconds between one mail to a mailbox and the next that the same source causes: after the first, the second, and
    /// all others of a day.
    package static let delays: [Int64] = [30, 120, 600]

    package let perMailboxAndDay: Int
    package let perSourceAndHour: Int

    package init(perMailboxAndDay: Int, perSourceAndHour: Int) {
        self.perMailboxAndDay = perMailboxAndDay
        self.perSourceAndHour = perSourceAndHour
    }

    /// How many mails to a mailbox one source may cause in a day. The rest is for other sources: for the owner of the
    /// mailbox, where this source is another client.
    var perMailboxSourceAndDay: Int { (perMailboxAndDay + 1) / 2 }

    /// ``delays`` by how many mails there were, as the branches of a CASE.
    static var delayCases: String {
        let branches = delays.dropLast().enumerated().map { "WHEN \($0.offset + 1) THEN \($0.element)" }
        return branches.joined(separator: " ") + " ELSE \(delays.last ?? 0)"
    }
}
