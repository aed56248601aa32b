// SPDX-License-Identifier: Apache-2.0

/// Each transaction deletes a limited number of rows, so that other writes never wait long.
extension ServerStorage {
    private static let slice = 1_000

    /// Deletes expired registrations that were never completed, inside a transaction.
    ///
    /// - Returns: whether there may be more of them.
    @discardableResult static func purgeRegistrations(now: Int64, in connection: any Connection) throws -> Bool {
        let expired: [Int64] = try connection.values(ExpiredRows.registrations, [now, slice])
        guard !expired.isEmpty else { return false }
        let rows = "SELECT key FROM \(connection.engine.members(of: ":expired")) AS expired"
        let parameters: Parameters = ["expired": Self.json(expired.map { ($0, 0) })]
        // A user without registrations needs no numbering.
        try connection.execute(
            """
            DELETE FROM numbering WHERE user_id IN (SELECT user_id FROM registration WHERE id IN (\(rows)))
                AND NOT EXISTS (
                    SELECT 1 FROM registration WHERE registration.user_id = numbering.user_id AND id NOT IN (\(rows))
                )
            """, parameters)
        try connection.execute("DELETE FROM registration WHERE id IN (\(rows))", parameters)
        return expired.count == slice
    }

    /// Deletes all commitments that need not be remembered. Floors move only to the times of deleted commitments, because
    /// the clock may be wrong.
    private func purgeCommitments(now: Timestamp) throws(ServerError) {
        let limit = SignatureWindow.floor(now.milliseconds)
        while try write({ connection in
            let rows = try connection.rows(
                """
                DELETE FROM commitment WHERE (registration, hash) IN (
                    SELECT registration, hash FROM commitment WHERE time <= ? ORDER BY time LIMIT ?
                ) RETURNING registration, time
                """, [limit, Self.slice])
            let times = try rows.map { try ($0["registration"] as Int64, $0["time"] as Int64) }
            let floors = Dictionary(times, uniquingKeysWith: max)
            try connection.execute(
                """
                UPDATE registration SET floor = latest.value FROM \(connection.engine.members(of: ":floors")) AS latest
                WHERE registration.id = latest.key AND floor < latest.value
                """, ["floors": Self.json(floors.map { ($0, $1) })])
            return rows.count == Self.slice
        }) {}
    }

    /// Numbers as a JSON object, for ``EngineKind/members(of:)``. One statement for many rows: with a database far away,
    /// one for each would take longer than a transaction may.
    private static func json(_ members: [(key: Int64, value: Int64)]) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// Deletes all expired registrations, commitments, invitations and mails. Each transaction deletes a limited number
    /// of those that are many.
    ///
    /// - Parameter oldestEvent: deletes the events of the audit log before this time as well; nil keeps all events.
    package func purgeExpired(now: Timestamp, oldestEvent: Timestamp?) throws(ServerError) {
        while try write({ try Self.purgeRegistrations(now: now.seconds, in: $0) }) {}
        try purgeCommitments(now: now)
        try write { connection in
            try connection.execute("DELETE FROM invitation WHERE expires <= ?", [now.seconds])
            try connection.execute("DELETE FROM mail WHERE expires <= ?", [now.seconds])
            try connection.execute("DELETE FROM mailing WHERE time <= ?", [now.seconds - 86_400])
            try connection.execute("DELETE FROM node WHERE time <= ?", [now.milliseconds - Self.nodeLifetime])
        }
        guard let oldestEvent else { return }
        while try write({ connection in
            try connection.execute(
                "DELETE FROM audit WHERE id IN (\(ExpiredRows.events))", [oldestEvent.milliseconds, Self.slice])
            return connection.changesCount == Self.slice
        }) {}
    }
}

extension ServerStorage {
    /// Expires all reservations, unless other servers may have made some of them.
    package func expireReservations() throws(ServerError) {
        guard !isShared else { return }
        let found = try read { connection in
            let isReserved = try connection.exists("registration WHERE reserved != 0")
            return try isReserved || connection.exists("attempt WHERE wrong = 0")
        }
        if found { try write { try Self.expireReservations(in: $0) } }
    }

    package static func expireReservations(in connection: any Connection) throws {
        try connection.execute(
            "DELETE FROM attempt WHERE wrong = 0")
        try connection.execute("UPDATE registration SET reserved = 0 WHERE reserved <> 0")
    }
}

/// Selects a limited number of expired rows.
package enum ExpiredRows {
    package static let registrations = """
        SELECT id FROM registration WHERE state IN (0, 1) AND expires <= ? LIMIT ?
        """
    package static let events = "SELECT id FROM audit WHERE time < ? ORDER BY time LIMIT ?"
}

extension ServerStorage {
    /// Deletes everything that is stored about a user. The audit log keeps the times and kinds of the user's events
    /// under a pseudonym, without their sources and details.
    ///
    /// - Parameter mailbox: the mailbox that the user ID names; nil for other user IDs.
    /// - Returns: nil if nothing is stored about such a user.
    package func purgeUser(
        _ user: String, mailbox: String?, as pseudonym: String, event: AuditEvent
    ) throws(ServerError) -> PurgedUser? {
        try overwriteDeleted()
        let purged = try write { connection -> PurgedUser? in
            func delete(_ sql: String) throws -> Int {
                try connection.execute(sql, [user])
                return connection.changesCount
            }
            _ = try delete("DELETE FROM attempt WHERE registration IN (SELECT id FROM registration WHERE user_id = ?)")
            _ = try delete(
                "DELETE FROM commitment WHERE registration IN (SELECT id FROM registration WHERE user_id = ?)")
            _ = try delete("DELETE FROM mail WHERE user_id = ?")
            let registrations = try delete("DELETE FROM registration WHERE user_id = ?")
            let invitations = try delete("DELETE FROM invitation WHERE user_id = ?")
            _ = try delete("DELETE FROM backup_code WHERE user_id = ?")
            let suspensions = try delete("DELETE FROM suspension WHERE user_id = ?")
            _ = try delete("DELETE FROM numbering WHERE user_id = ?")
            let accounts = try delete("DELETE FROM ssh_account WHERE user_id = ?")
            if let mailbox { try connection.execute("DELETE FROM mailing WHERE mailbox = ?", [mailbox]) }
            let events = try Self.forget(user, as: pseudonym, in: connection)
            guard registrations + invitations + suspensions + accounts + events > 0 else { return nil }
            try Self.record([event], in: connection)
            return PurgedUser(
                registrations: registrations, invitations: invitations, wasSuspended: suspensions > 0, events: events)
        }
        if purged != nil { finishOverwriting() }
        return purged
    }

    /// Replaces the user with the pseudonym in events that were written later, because a running server writes its
    /// events with a delay.
    package func forgetUser(_ user: String, as pseudonym: String) throws(ServerError) -> Int {
        try write { try Self.forget(user, as: pseudonym, in: $0) }
    }

    private static func forget(_ user: String, as pseudonym: String, in connection: any Connection) throws -> Int {
        try connection.execute(
            "UPDATE audit SET actor = :pseudonym WHERE actor = :user",
            ["pseudonym": pseudonym, "user": user])
        try connection.execute(
            "UPDATE audit SET user_id = :pseudonym, source = NULL, detail = NULL WHERE user_id = :user",
            ["pseudonym": pseudonym, "user": user])
        return connection.changesCount
    }
}
