internal import GRDB

extension SQLiteStorage {
    /// The setting that tells a backup from a database that was merely copied; its value is when the backup was taken.
    static let backupMark = "backup"

    /// Copies a consistent snapshot into an empty file. Other processes may write meanwhile.
    ///
    /// - Parameter mark: the time that the copy is marked with.
    package func copy(to path: String, mark: Timestamp) throws(ServerError) {
        do {
            try pool.vacuum(into: path)
            let copy = try DatabaseQueue(path: path)
            try copy.writeWithoutTransaction { database in
                // One file, whatever the original has beside it.
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try database.execute(
                    sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                    arguments: [Self.backupMark, mark.zulu])
            }
            try copy.close()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw PrivateFile.full(path)
        } catch {
            throw Self.fault(error)
        }
    }

    /// Removes the mark of a backup, and records that it was restored. Attempts in progress when it was taken are given
    /// back: their outcome is undone with everything later, so they count as no wrong PIN.
    ///
    /// The backup does not know which direct logins came after it, and the server's time may have been ahead of the clock
    /// then. So the horizon moves past each login that this clock, the backup or the replaced database can know of.
    ///
    /// - Parameter replaced: the latest time of the replaced database; nil where there is none, or none that can be read.
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
