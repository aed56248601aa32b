// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import MPinCrypto

extension SQLiteStorage {
    /// Counts a mail that is about to be sent, unless that exceeds a limit: first the limit of its source, then the
    /// total.
    ///
    /// - Returns: nil, or the number of seconds until another mail is possible.
    package func countMail(to mailbox: String, source: String, now: Int64, limits: MailLimits) throws(ServerError)
        -> Int64?
    {
        try write { database -> Int64? in
            try database.execute(sql: "DELETE FROM mailing WHERE time <= ?", arguments: [now - 86_400])
            // Entries from before the clock was set back get the present time, so that a client does not wait until the
            // old time is reached again.
            try database.execute(sql: "UPDATE mailing SET time = ? WHERE time > ?", arguments: [now, now])
            // Each limit that is reached determines when it ends.
            let sent = try Row.fetchAll(
                database, sql: "SELECT time, source FROM mailing WHERE mailbox = ? AND NOT wrong ORDER BY time",
                arguments: [mailbox]
            ).map { (time: $0["time"] as Int64, source: $0["source"] as String) }
            let own = sent.filter { $0.source == source }
            var free = now
            if let last = own.last { free = last.time + MailLimits.delays[min(own.count, MailLimits.delays.count) - 1] }
            if own.count >= limits.perMailboxSourceAndDay { free = max(free, own[0].time + 86_400) }
            if sent.count >= limits.perMailboxAndDay { free = max(free, sent[0].time + 86_400) }
            let caused = try Int64.fetchAll(
                database, sql: "SELECT time FROM mailing WHERE source = ? AND NOT wrong AND time > ? ORDER BY time",
                arguments: [source, now - 3_600])
            if caused.count >= limits.perSourceAndHour { free = max(free, caused[0] + 3_600) }
            guard free <= now else { return free - now }
            try database.execute(
                sql: "INSERT INTO mailing (mailbox, source, time, wrong) VALUES (?, ?, ?, FALSE)",
                arguments: [mailbox, source, now])
            return nil
        }
    }

    /// Stores the hashes by which a mail will be recognized.
    package func addMail(_ mail: NewMail, now: Int64) throws(ServerError) {
        try write { database in
            try database.execute(
                sql: "DELETE FROM mail WHERE expires <= ? OR registration NOT IN (SELECT hash FROM registration)",
                arguments: [now])
            try database.execute(
                sql: "INSERT INTO mail (link, digits, registration, user, source, expires) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    Data(mail.link), Data(mail.digits), Data(mail.registration), mail.user, mail.source, mail.expires,
                ])
        }
    }

    /// Activates a registration if the digits are those of its newest mail. Otherwise counts the digits as wrong.
    package func activateRegistration(
        _ registration: [UInt8], digits: [UInt8], mailbox: String, source: String, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DigitsVerdict {
        try write { database in
            var verdict = DigitsVerdict.void
            try database.inSavepoint {
                verdict = try Self.count(
                    digits, of: registration, mailbox: mailbox, source: source, now: now, in: database)
                // Only wrong digits remain counted.
                if case .right = verdict { return .rollback }
                if case .void = verdict { return .rollback }
                return .commit
            }
            guard case .right = verdict else { return verdict }
            return try Self.activate(registration, now: now, event: event, in: database) ? .right : .void
        }
    }

    /// Counts digits as wrong if the limits allow further ones, and only then compares them.
    private static func count(
        _ digits: [UInt8], of registration: [UInt8], mailbox: String, source: String, now: Int64, in database: Database
    ) throws -> DigitsVerdict {
        try database.execute(
            sql: """
                INSERT INTO mailing (mailbox, source, time, wrong)
                SELECT :mailbox, :source, :now, TRUE FROM (\(guesses))
                WHERE ofAll < :perMailbox AND ofSource < :perSource
                """,
            arguments: [
                "mailbox": mailbox, "source": source, "now": now, "perMailbox": MailCode.triesPerMailbox,
                "perSource": MailCode.triesPerSource,
            ])
        guard database.changesCount == 1 else { return .spent }
        let newest = try Row.fetchOne(
            database,
            sql: """
                UPDATE mail SET tries = tries + 1
                WHERE tries < ? AND id = (
                    SELECT id FROM mail WHERE registration = ? AND expires > ? ORDER BY id DESC LIMIT 1
                ) RETURNING digits, tries
                """, arguments: [MailCode.tries, Data(registration), now])
        guard let newest else { return .void }
        if Hash.equal(digits, Array(newest["digits"] as Data)) { return .right }
        let counted = try Row.fetchOne(
            database, sql: guesses, arguments: ["mailbox": mailbox, "source": source, "now": now])
        guard let counted else { return .spent }
        let ofToday = min(
            MailCode.triesPerSource - (counted["ofSource"] as Int), MailCode.triesPerMailbox - (counted["ofAll"] as Int)
        )
        return ofToday > 0 ? .wrong(triesLeft: min(MailCode.tries - (newest["tries"] as Int), ofToday)) : .spent
    }

    /// The number of wrong digits for `:mailbox` in the day before `:now`, in total and from `:source`.
    private static let guesses = """
        SELECT count(*) AS ofAll, count(*) FILTER (WHERE source = :source) AS ofSource
        FROM mailing WHERE mailbox = :mailbox AND wrong AND time > :now - 86400
        """

    package func registration(ofLink link: [UInt8], now: Int64) throws(ServerError) -> LinkedRegistration? {
        try read { try Self.linked(link, now: now, in: $0)?.registration }
    }

    /// Activates the registration behind a link, once.
    ///
    /// - Returns: false, and nothing changed, if no registration waits behind the link.
    package func activateRegistration(ofLink link: [UInt8], now: Int64, event: (String) -> AuditEvent)
        throws(ServerError) -> Bool
    {
        guard let (registration, hash) = try read({ try Self.linked(link, now: now, in: $0) }) else { return false }
        let event = event(registration.user)
        return try write { try Self.activate(hash, link: link, now: now, event: event, in: $0) }
    }

    /// Activates a registration that waits to be verified.
    ///
    /// - Returns: false, and nothing changed, if it does not wait.
    package func activateRegistration(_ hash: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) -> Bool {
        try write { try Self.activate(hash, now: now, event: event, in: $0) }
    }

    /// Whether the registration behind an unexpired link has been activated already, by this link or in another way.
    package func isConfirmed(ofLink link: [UInt8], now: Int64) throws(ServerError) -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT TRUE FROM mail JOIN registration ON registration.hash = mail.registration
                    WHERE mail.link = ? AND registration.user = mail.user AND registration.state <> ?
                        AND registration.revoked IS NULL AND mail.expires > ?
                    """, arguments: [Data(link), RegistrationEntry.State.held.rawValue, now])
        } == true
    }

    private static func linked(
        _ link: [UInt8], now: Int64, in database: Database
    ) throws -> (registration: LinkedRegistration, hash: [UInt8])? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT mail.user, mail.source, registration.device, registration.created, registration.hash
                FROM mail JOIN registration ON registration.hash = mail.registration
                WHERE mail.link = ? AND registration.user = mail.user AND registration.state = ?
                    AND registration.revoked IS NULL AND registration.expires > ? AND \(Self.isAdmitted)
                    AND mail.expires > ?
                """, arguments: [Data(link), RegistrationEntry.State.held.rawValue, now, now])
        guard let row else { return nil }
        let hash: Data = row["hash"]
        return (
            LinkedRegistration(
                user: row["user"], device: row["device"], source: row["source"],
                created: Timestamp(seconds: row["created"])), Array(hash)
        )
    }

    /// Activates a registration that waits, inside a transaction. From then on the client has ten more minutes to fetch
    /// the secret.
    ///
    /// Its mails are kept until they expire, so that their links can report that it is confirmed. Their digits are
    /// void.
    ///
    /// - Parameter link: the keyed hash of the token in the link that activates it; nil if something else does.
    private static func activate(
        _ hash: [UInt8], link: [UInt8]? = nil, now: Int64, event: AuditEvent, in database: Database
    ) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE registration SET state = :activated, expires = max(expires, :until)
                WHERE hash = :hash AND state = :held AND revoked IS NULL AND expires > :now AND \(Self.isAdmitted)
                    AND (
                        :link IS NULL OR EXISTS (
                            SELECT 1 FROM mail
                            WHERE mail.link = :link AND mail.registration = registration.hash
                                AND mail.user = registration.user AND mail.expires > :now
                        )
                    )
                """,
            arguments: [
                "activated": RegistrationEntry.State.activated.rawValue, "until": now + 600, "hash": Data(hash),
                "held": RegistrationEntry.State.held.rawValue, "now": now, "link": link.map { Data($0) },
            ])
        guard database.changesCount == 1 else { return false }
        try database.execute(
            sql: "UPDATE mail SET tries = ? WHERE registration = ?", arguments: [MailCode.tries, Data(hash)])
        try record([event], in: database)
        return true
    }
}
