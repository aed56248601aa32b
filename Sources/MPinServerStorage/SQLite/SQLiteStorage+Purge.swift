// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// Each transaction deletes a limited number of rows, so that other writes never wait long.
extension SQLiteStorage {
    /// How many rows one transaction deletes.
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

/// Selects a limited number of expired rows.
package enum ExpiredRows {
    /// Expired registrations that were never completed.
    package static let registrations = """
        SELECT id FROM registration WHERE state IN (0, 1) AND expires <= ? LIMIT ?
        """
    /// Old events of the audit log.
    package static let events = "SELECT id FROM audit WHERE time < ? ORDER BY time LIMIT ?"
}
