// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

extension ServerStorage {
    /// Counts a mail that is about to be sent, unless that exceeds a limit: first the limit of its source, then the
    /// total.
    ///
    /// - Returns: nil, or the number of seconds until another mail is possible.
    package func countMail(to mailbox: String, source: String, now: Int64, limits: MailLimits) throws(ServerError)
        -> Int64?
    {
        try write { connection -> Int64? in
            try connection.execute("DELETE FROM mailing WHERE time <= ?", [now - 86_400])
            // Entries from before the clock was set back get the present time, so that a client does not wait until the
            // old time is reached again.
            try connection.execute("UPDATE mailing SET time = ? WHERE time > ?", [now, now])
            // Each limit that is reached determines when it ends.
            let sent = try connection.rows(
                "SELECT time, source FROM mailing WHERE mailbox = ? AND wrong = 0 ORDER BY time",
                [mailbox]
            ).map { try (time: $0["time"] as Int64, source: $0["source"] as String) }
            let own = sent.filter { $0.source == source }
            var free = now
            if let last = own.last { free = last.time + MailLimits.delays[min(own.count, MailLimits.delays.count) - 1] }
            if own.count >= limits.perMailboxSourceAndDay { free = max(free, own[0].time + 86_400) }
            if sent.count >= limits.perMailboxAndDay { free = max(free, sent[0].time + 86_400) }
            let caused: [Int64] = try connection.values(
                "SELECT time FROM mailing WHERE source = ? AND wrong = 0 AND time > ? ORDER BY time",
                [source, now - 3_600])
            if caused.count >= limits.perSourceAndHour { free = max(free, caused[0] + 3_600) }
            guard free <= now else { return free - now }
            try connection.execute(
                "INSERT INTO mailing (mailbox, source, time, wrong) VALUES (?, ?, ?, 0)",
                [mailbox, source, now])
            return nil
        }
    }

    /// Stores the hashes by which a mail will be recognized.
    package func addMail(_ mail: NewMail, now: Int64) throws(ServerError) {
        try write { connection in
            try connection.execute(
                "DELETE FROM mail WHERE expires <= ? OR registration NOT IN (SELECT hash FROM registration)",
                [now])
            try connection.execute(
                "INSERT INTO mail (link, digits, registration, user_id, source, expires) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    mail.link, mail.digits, mail.registration, mail.user, mail.source, mail.expires,
                ])
        }
    }

    /// Activates a registration if the digits are those of its newest mail. Otherwise counts the digits as wrong.
    package func activateRegistration(
        _ registration: [UInt8], digits: [UInt8], mailbox: String, source: String, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DigitsVerdict {
        try write { connection in
            var verdict = DigitsVerdict.void
            try connection.savepoint {
                verdict = try Self.count(
                    digits, of: registration, mailbox: mailbox, source: source, now: now, in: connection)
                // Only wrong digits remain counted.
                if case .right = verdict { return false }
                if case .void = verdict { return false }
                return true
            }
            guard case .right = verdict else { return verdict }
            return try Self.activate(registration, now: now, event: event, in: connection) ? .right : .void
        }
    }

    /// Counts digits as wrong if the limits allow further ones, and only then compares them.
    private static func count(
        _ digits: [UInt8], of registration: [UInt8], mailbox: String, source: String, now: Int64,
        in connection: any Connection
    ) throws -> DigitsVerdict {
        try connection.execute(
            """
            INSERT INTO mailing (mailbox, source, time, wrong)
            SELECT :mailbox, :source, :now, 1 FROM (\(guesses)) AS guesses
            WHERE of_all < :perMailbox AND of_source < :perSource
            """,
            [
                "mailbox": mailbox, "source": source, "now": now, "perMailbox": MailCode.triesPerMailbox,
                "perSource": MailCode.triesPerSource,
            ])
        guard connection.changesCount == 1 else { return .spent }
        let newest = try connection.row(
            """
            UPDATE mail SET tries = tries + 1
            WHERE tries < ? AND id = (
                SELECT id FROM mail WHERE registration = ? AND expires > ? ORDER BY id DESC LIMIT 1
            ) RETURNING digits, tries
            """, [MailCode.tries, registration, now])
        guard let newest else { return .void }
        if try Hash.equal(digits, newest["digits"]) { return .right }
        let counted = try connection.row(guesses, ["mailbox": mailbox, "source": source, "now": now])
        guard let counted else { return .spent }
        let ofToday = try min(
            MailCode.triesPerSource - (counted["of_source"] as Int),
            MailCode.triesPerMailbox - (counted["of_all"] as Int)
        )
        return try ofToday > 0 ? .wrong(triesLeft: min(MailCode.tries - (newest["tries"] as Int), ofToday)) : .spent
    }

    /// The number of wrong digits for `:mailbox` in the day before `:now`, in total and from `:source`.
    private static let guesses = """
        SELECT count(*) AS of_all, count(*) FILTER (WHERE source = :source) AS of_source
        FROM mailing WHERE mailbox = :mailbox AND wrong = 1 AND time > :now - 86400
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
        try read { connection in
            try connection.value(
                """
                SELECT TRUE FROM mail JOIN registration ON registration.hash = mail.registration
                WHERE mail.link = ? AND registration.user_id = mail.user_id AND registration.state <> ?
                    AND registration.revoked IS NULL AND mail.expires > ?
                """, [link, RegistrationEntry.State.held.rawValue, now])
        } == true
    }

    private static func linked(
        _ link: [UInt8], now: Int64, in connection: any Connection
    ) throws -> (registration: LinkedRegistration, hash: [UInt8])? {
        let row = try connection.row(
            """
            SELECT mail.user_id, mail.source, registration.device, registration.created, registration.hash
            FROM mail JOIN registration ON registration.hash = mail.registration
            WHERE mail.link = ? AND registration.user_id = mail.user_id AND registration.state = ?
                AND registration.revoked IS NULL AND registration.expires > ? AND \(Self.isAdmitted)
                AND mail.expires > ?
            """, [link, RegistrationEntry.State.held.rawValue, now, now])
        guard let row else { return nil }
        let hash: [UInt8] = try row["hash"]
        return try (
            LinkedRegistration(
                user: row["user_id"], device: row["device"], source: row["source"],
                created: Timestamp(seconds: row["created"])), hash
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
        _ hash: [UInt8], link: [UInt8]? = nil, now: Int64, event: AuditEvent, in connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE registration SET state = :activated, expires = CASE WHEN expires < :until THEN :until ELSE expires END
            WHERE hash = :hash AND state = :held AND revoked IS NULL AND expires > :now AND \(Self.isAdmitted)
                AND (
                    :link IS NULL OR EXISTS (
                        SELECT 1 FROM mail
                        WHERE mail.link = :link AND mail.registration = registration.hash
                            AND mail.user_id = registration.user_id AND mail.expires > :now
                    )
                )
            """,
            [
                "activated": RegistrationEntry.State.activated.rawValue, "until": now + 600, "hash": hash,
                "held": RegistrationEntry.State.held.rawValue, "now": now, "link": link,
            ])
        guard connection.changesCount == 1 else { return false }
        try connection.execute(
            "UPDATE mail SET tries = ? WHERE registration = ?", [MailCode.tries, hash])
        try record([event], in: connection)
        return true
    }
}
