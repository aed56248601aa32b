internal import GRDB

extension Store {
    /// The setting that tells a backup from a database that was merely copied; its value is when the backup was taken.
    static let backupMark = "backup"

    /// Copies a consistent snapshot into an empty file. Other processes may write meanwhile.
    ///
    /// - Parameter mark: the time that the copy is marked with.
    func copy(to path: String, mark: Timestamp) throws(ServerFault) {
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
            throw CopiedFile.full(path)
        } catch {
            throw Self.fault(error)
        }
    }

    /// Removes the mark of a backup, and records that it was restored. Attempts in progress when it was taken are given
    /// back: their outcome is undone with everything later, so they count as no wrong PIN. Which direct logins there were
    /// since the backup is not known: none is accepted that was signed before now, as far as a device's time may be ahead.
    func unmark(_ event: AuditEvent) throws(ServerFault) {
        try write { database in
            try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Self.backupMark])
            try database.execute(sql: "DELETE FROM attempt WHERE wrong = 0")
            try Self.moveHorizon(to: event.time.milliseconds + SigningTime.tolerance, in: database)
            try Self.record([event], in: database)
        }
    }
}
