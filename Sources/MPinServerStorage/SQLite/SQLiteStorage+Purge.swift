// SPDX-License-Identifier: Apache-2.0
package import GRDB

/// Each transaction deletes a limited number of rows, so that other writes never wait long.
extension SQLiteStorage {
    private static let slice = 1_000

    /// Deletes expired registrations that were never completed, inside a transaction.
    ///
    /// - Returns: whether there may be more of them.
    @discardableResult static func purgeRegistrations(now: Int64, in database: Database) throws -> Bool {
        let users = try String.fetchAll(
            database.cachedStatement(
                sql: "DELETE FROM registration WHERE id IN (\(ExpiredRows.registrations)) RETURNING user"),
            arguments: [now, slice])
        // A user without registrations needs no numbering.
        let forget = try database.cachedStatement(
            sql: """
                DELETE FROM numbering
                WHERE user = :user AND NOT EXISTS (SELECT 1 FROM registration WHERE user = :user)
                """)
        for user in users { try forget.execute(arguments: ["user": user]) }
        return users.count == slice
    }

    /// Deletes all commitments that need not be remembered. Floors move only to the times of deleted commitments, because
    /// the clock may be wrong.
    private func purgeCommitments(now: Timestamp) throws(ServerError) {
        let limit = SignatureWindow.floor(now.milliseconds)
        while try write({ database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    DELETE FROM commitment WHERE (registration, hash) IN (
                        SELECT registration, hash FROM commitment WHERE time <= ? ORDER BY time LIMIT ?
                    ) RETURNING registration, time
                    """, arguments: [limit, Self.slice])
            for row in rows {
                try database.cachedStatement(sql: "UPDATE registration SET floor = max(floor, ?) WHERE id = ?")
                    .execute(arguments: [row["time"] as Int64, row["registration"] as Int64])
            }
            return rows.count == Self.slice
        }) {}
    }

    /// Deletes all expired registrations, commitments, invitations and mails. Each transaction deletes a limited number
    /// of those that are many.
    ///
    /// - Parameter oldestEvent: deletes the events of the audit log before this time as well; nil keeps all events.
    package func purgeExpired(now: Timestamp, oldestEvent: Timestamp?) throws(ServerError) {
        while try write({ try Self.purgeRegistrations(now: now.seconds, in: $0) }) {}
        try purgeCommitments(now: now)
        try write { database in
            try database.execute(sql: "DELETE FROM invitation WHERE expires <= ?", arguments: [now.seconds])
            try database.execute(sql: "DELETE FROM mail WHERE expires <= ?", arguments: [now.seconds])
            try database.execute(sql: "DELETE FROM mailing WHERE time <= ?", arguments: [now.seconds - 86_400])
        }
        guard let oldestEvent else { return }
        while try write({ database in
            try database.cachedStatement(sql: "DELETE FROM audit WHERE id IN (\(ExpiredRows.events))")
                .execute(arguments: [oldestEvent.milliseconds, Self.slice])
            return database.changesCount == Self.slice
        }) {}
    }
}

extension SQLiteStorage {
    /// Expires all reservations. Only for a process that is the only one that makes any.
    package func expireReservations() throws(ServerError) {
        let found = try read { database in
            let isReserved = try Self.exists("registration WHERE reserved != 0", in: database)
            return try isReserved || Self.exists("attempt WHERE wrong = 0", in: database)
        }
        if found { try write { try Self.expireReservations(in: $0) } }
    }

    package static func expireReservations(in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM attempt WHERE wrong = 0; UPDATE registration SET reserved = 0 WHERE reserved != 0")
    }
}

/// Selects a limited number of expired rows.
package enum ExpiredRows {
    package static let registrations = """
        SELECT id FROM registration WHERE state IN (0, 1) AND expires <= ? LIMIT ?
        """
    package static let events = "SELECT id FROM audit WHERE time < ? ORDER BY time LIMIT ?"
}

extension SQLiteStorage {
    /// Deletes everything that is stored about a user. The audit log keeps the times and kinds of the user's events
    /// under a pseudonym, without their sources and details.
    ///
    /// - Parameter mailbox: the mailbox that the user ID names; nil for other user IDs.
    /// - Returns: nil if nothing is stored about such a user.
    package func purgeUser(
        _ user: String, mailbox: String?, as pseudonym: String, event: AuditEvent
    ) throws(ServerError) -> PurgedUser? {
        try overwriteDeleted()
        let purged = try write { database -> PurgedUser? in
            func delete(_ sql: String) throws -> Int {
                try database.execute(sql: sql, arguments: [user])
                return database.changesCount
            }
            _ = try delete("DELETE FROM attempt WHERE registration IN (SELECT id FROM registration WHERE user = ?)")
            _ = try delete("DELETE FROM commitment WHERE registration IN (SELECT id FROM registration WHERE user = ?)")
            _ = try delete("DELETE FROM mail WHERE user = ?")
            let registrations = try delete("DELETE FROM registration WHERE user = ?")
            let invitations = try delete("DELETE FROM invitation WHERE user = ?")
            _ = try delete("DELETE FROM backupCode WHERE user = ?")
            let suspensions = try delete("DELETE FROM suspension WHERE user = ?")
            _ = try delete("DELETE FROM numbering WHERE user = ?")
            let accounts = try delete("DELETE FROM sshAccount WHERE user = ?")
            if let mailbox { try database.execute(sql: "DELETE FROM mailing WHERE mailbox = ?", arguments: [mailbox]) }
            let events = try Self.forget(user, as: pseudonym, in: database)
            guard registrations + invitations + suspensions + accounts + events > 0 else { return nil }
            try Self.record([event], in: database)
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

    private static func forget(_ user: String, as pseudonym: String, in database: Database) throws -> Int {
        try database.execute(
            sql: "UPDATE audit SET actor = :pseudonym WHERE actor = :user",
            arguments: ["pseudonym": pseudonym, "user": user])
        try database.execute(
            sql: "UPDATE audit SET user = :pseudonym, source = NULL, detail = NULL WHERE user = :user",
            arguments: ["pseudonym": pseudonym, "user": user])
        return database.changesCount
    }

    /// From now on, this process overwrites deleted content, instead of only removing it from the tables.
    func overwriteDeleted() throws(ServerError) { try execute("PRAGMA secure_delete = ON") }

    /// Empties the write-ahead log, which has copies of deleted content. Without success, a later write does it.
    func finishOverwriting() { try? execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    private func execute(_ sql: String) throws(ServerError) {
        do { try pool.writeWithoutTransaction { try $0.execute(sql: sql) } } catch { throw Self.fault(error) }
    }
}
