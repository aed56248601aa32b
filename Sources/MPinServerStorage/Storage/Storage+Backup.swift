// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// The setting that distinguishes a backup from a copied database. Its value is the time of the backup.
    static let backupMark = "backup"

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
        try write { connection in
            try connection.execute("DELETE FROM setting WHERE name = ?", [Self.backupMark])
            try Self.expireReservations(in: connection)
            let latest = try max(
                event.time.milliseconds, replaced?.clock ?? 0, Self.latestTimes(in: connection).clock)
            let (horizon, overflow) = latest.addingReportingOverflow(SignatureWindow.tolerance)
            try connection.execute(
                "UPDATE horizon SET time = :time WHERE time < :time", ["time": overflow ? latest : horizon])
            try Self.record([event], in: connection)
        }
    }

    /// The horizon and the highest floor.
    ///
    /// - Parameter areInForce: whether only the floors of registrations count that are not revoked.
    package func latestTimes(areInForce: Bool = false) throws(ServerError) -> LatestTimes {
        try readOnce { try Self.latestTimes(areInForce: areInForce, in: $0) }
    }

    static func latestTimes(areInForce: Bool = false, in connection: any Connection) throws -> LatestTimes {
        let rows = "registration" + (areInForce ? " WHERE revoked IS NULL" : "")
        let row = try connection.row(
            "SELECT time, coalesce((SELECT max(floor) FROM \(rows)), 0) AS floor FROM horizon")
        guard let row else { throw ServerError.damaged("no horizon") }
        return try LatestTimes(horizon: row["time"], floor: row["floor"])
    }
}
