// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension SQLiteStorage {
    /// Deletes everything that is stored about a user. The audit log keeps the times and kinds of the user's events
    /// under a pseudonym, without their sources and details.
    ///
    /// - Parameters:
    ///   - mailbox: the mailbox that the user ID names; nil for other user IDs.
    ///   - event: the event for the audit log.
    /// - Returns: nil if nothing is stored about such a user.
    package func purgeUser(
        _ user: String, mailbox: String?, as pseudonym: String, event: AuditEvent
    ) throws(ServerError) -> PurgedUser? {
        // Overwrites deleted content, instead of only removing it from the tables.
        try execute("PRAGMA secure_delete = ON")
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
            if let mailbox { try database.execute(sql: "DELETE FROM mailing WHERE mailbox = ?", arguments: [mailbox]) }
            let events = try Self.forget(user, as: pseudonym, in: database)
            guard registrations + invitations + suspensions + events > 0 else { return nil }
            try Self.record([event], in: database)
            return PurgedUser(
                registrations: registrations, invitations: invitations, wasSuspended: suspensions > 0, events: events)
        }
        if purged != nil { try? execute("PRAGMA wal_checkpoint(TRUNCATE)") }
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

    private func execute(_ sql: String) throws(ServerError) {
        do { try pool.writeWithoutTransaction { try $0.execute(sql: sql) } } catch { throw Self.fault(error) }
    }
}
