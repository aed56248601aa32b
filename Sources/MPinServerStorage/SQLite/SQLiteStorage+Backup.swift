// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension SQLiteStorage {
    /// The setting that distinguishes a backup from a copied database. Its value is the time of the backup.
    static let backupMark = "backup"

    /// Copies a consistent snapshot into an empty file. Other processes may write at the same time.
    package func copy(to path: String, mark: Timestamp) throws(ServerError) {
        do {
            try pool.vacuum(into: path)
            let copy = try DatabaseQueue(path: path)
            try copy.writeWithoutTransaction { database in
                // The copy is a single file, regardless of the files next to the original.
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try database.execute(
                    sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                    arguments: [Self.backupMark, mark.zulu])
            }
            try copy.close()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw ServerError.diskFull(path)
        } catch { throw Self.fault(error) }
    }

    /// Removes the mark of a backup, and records that it was restored. Attempts that were in progress when the backup
    /// was made are removed and do not count as wrong PINs, because the restore undoes their outcome together with
    /// everything later.
    ///
    /// The backup does not contain the direct logins after it, and the server's time may have been ahead of the clock.
    /// So the horizon moves past each login that was accepted by this clock, or by the floors and horizons of the backup
    /// and of the replaced database.
    ///
    /// - Parameter replaced: the latest times in the replaced database; nil if there is none, or if it cannot be read.
    package func unmark(_ event: AuditEvent, replaced: LatestTimes?) throws(ServerError) {
        try write { database in
            try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.backupMark])
            try Self.expireReservations(in: database)
            let latest = try max(
                event.time.milliseconds, replaced?.clock ?? 0, Self.latestTimes(in: database).clock)
            let (horizon, overflow) = latest.addingReportingOverflow(SignatureWindow.tolerance)
            try database.execute(
                sql: "UPDATE horizon SET time = max(time, ?)", arguments: [overflow ? latest : horizon])
            try Self.record([event], in: database)
        }
    }

    /// The horizon and the highest floor.
    ///
    /// - Parameter areInForce: whether only the floors of registrations count that are not revoked.
    package func latestTimes(areInForce: Bool = false) throws(ServerError) -> LatestTimes {
        try readOnce { try Self.latestTimes(areInForce: areInForce, in: $0) }
    }

    static func latestTimes(areInForce: Bool = false, in database: Database) throws -> LatestTimes {
        let rows = "registration" + (areInForce ? " WHERE revoked IS NULL" : "")
        let row = try Row.fetchOne(
            database, sql: "SELECT time, coalesce((SELECT max(floor) FROM \(rows)), 0) AS floor FROM horizon")
        guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no horizon") }
        return LatestTimes(horizon: row["time"], floor: row["floor"])
    }
}
