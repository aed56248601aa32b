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
    /// So the horizon moves past each login that this clock, the backup or the replaced database can know.
    ///
    /// - Parameter replaced: the latest time in the replaced database; nil if there is none, or if it cannot be read.
    package func unmark(_ event: AuditEvent, replaced: Int64?) throws(ServerError) {
        try write { database in
            try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.backupMark])
            try database.execute(sql: "DELETE FROM attempt WHERE wrong = 0")
            let latest = try max(event.time.milliseconds, replaced ?? 0, Self.latestTime(in: database))
            let (horizon, overflow) = latest.addingReportingOverflow(SignatureWindow.tolerance)
            try Self.moveHorizon(to: overflow ? latest : horizon, in: database)
            try Self.record([event], in: database)
        }
    }
}
