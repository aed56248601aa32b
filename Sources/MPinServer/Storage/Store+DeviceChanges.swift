internal import GRDB

/// The changes that administrators make to the registrations of a user.
///
/// A registration is revoked with all others of its user, which suspends the user, or by itself. Only what was revoked
/// together comes back together: a stolen device that was revoked by itself stays so when its user is revoked and restored.
extension Store {
    /// The outcome of a change.
    enum DeviceChange: Sendable {
        case none
        case noDevice
        /// The device is in a state that the change does not apply to.
        case unfit(RegistrationRecord)
        /// The numbers of what was changed.
        case changed([Int])
    }

    /// Forgets the wrong PINs of the blocked devices of a user that are not revoked, or of one device, blocked or not.
    ///
    /// - Parameter event: what the audit log is told, by the numbers of the devices.
    func unblock(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerFault) -> DeviceChange {
        try write { database in
            guard try Self.exists(user, in: database) else { return .none }
            if let device {
                guard let registration = try Self.registration(of: user, device, now: now, in: database) else {
                    return .noDevice
                }
                guard registration.revoked == nil else { return .unfit(registration) }
            }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, number FROM registration
                    WHERE user = :user AND revoked IS NULL AND (:device IS NULL OR number = :device)
                        AND (failures >= :inARow OR \(Self.recentWrong) >= :recent)
                    ORDER BY number
                    """,
                arguments: [
                    "user": user, "device": device, "start": limits.start(at: now),
                    // Named by its number, a device is cleared of whatever counts against it.
                    "inARow": device == nil ? limits.inARow : 1, "recent": device == nil ? limits.recent : 1,
                ])
            for row in rows {
                let id: Int64 = row["id"]
                try database.execute(sql: "UPDATE registration SET failures = 0 WHERE id = ?", arguments: [id])
                // Attempts in progress are no wrong PINs yet.
                try database.execute(sql: "DELETE FROM attempt WHERE wrong = 1 AND registration = ?", arguments: [id])
            }
            let numbers: [Int] = rows.map { $0["number"] }
            if !numbers.isEmpty { try Self.record([event(numbers)], in: database) }
            return .changed(numbers)
        }
    }

    /// Revokes every registration and invitation that a user has now, and suspends the user.
    func revokeAll(
        _ user: String, reason: String?, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerFault) -> DeviceChange {
        try write { database in
            guard try Self.exists(user, in: database) else { return .none }
            let suspension = try Self.suspension(of: user, in: database)
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT number, state FROM registration WHERE user = ? AND revoked IS NULL ORDER BY number",
                arguments: [user])
            // A repeated revocation is the same one, unless it also revokes a device that came since.
            let isEnrolled = rows.contains { $0["state"] == RegistrationRecord.State.registered.rawValue }
            let revocation: Int
            if let suspension, !isEnrolled {
                revocation = suspension.revocation
            } else {
                let last = try Int.fetchOne(
                    database, sql: "SELECT max(revocation) FROM registration WHERE user = ?", arguments: [user])
                revocation = max(last ?? 0, suspension?.revocation ?? 0) + 1
            }
            try database.execute(
                sql: """
                    UPDATE registration SET revoked = ?, revoker = ?, reason = ?, revocation = ?
                    WHERE user = ? AND revoked IS NULL
                    """,
                arguments: [now, UserRecord.Revoker.user, reason, revocation, user])
            try database.execute(sql: "DELETE FROM invitation WHERE user = ?", arguments: [user])
            try database.execute(
                sql: """
                    INSERT INTO suspension (user, time, reason, revocation) VALUES (?, ?, ?, ?)
                    ON CONFLICT (user) DO UPDATE
                    SET reason = coalesce(excluded.reason, reason), revocation = excluded.revocation
                    """,
                arguments: [user, now, reason, revocation])
            let numbers: [Int] = rows.map { $0["number"] }
            try Self.record([event(numbers)], in: database)
            return .changed(numbers)
        }
    }

    /// Revokes one registration of a user. One that was revoked with the user is from now on revoked by itself as well.
    func revoke(
        _ user: String, device: Int, reason: String?, now: Int64, event: AuditEvent
    ) throws(ServerFault) -> DeviceChange {
        try write { database in
            guard try Self.exists(user, in: database) else { return .none }
            guard let registration = try Self.registration(of: user, device, now: now, in: database) else {
                return .noDevice
            }
            guard registration.revoked == nil || registration.revoker == UserRecord.Revoker.user else {
                return .unfit(registration)
            }
            try database.execute(
                sql: """
                    UPDATE registration
                    SET revoked = coalesce(revoked, ?), revoker = ?, reason = coalesce(?, reason), revocation = NULL
                    WHERE id = ?
                    """,
                arguments: [now, UserRecord.Revoker.device, reason, registration.id])
            try Self.record([event], in: database)
            return .changed([device])
        }
    }

    /// Takes the last revocation of a user back: what it revoked, and the suspension.
    ///
    /// - Returns: nothing changed for a user who is not suspended.
    func restoreAll(_ user: String, event: @Sendable ([Int]) -> AuditEvent) throws(ServerFault) -> DeviceChange {
        try write { database in
            guard try Self.exists(user, in: database) else { return .none }
            guard let suspension = try Self.suspension(of: user, in: database) else { return .changed([]) }
            let numbers = try Int.fetchAll(
                database,
                sql: """
                    UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL, revocation = NULL
                    WHERE user = ? AND revoker = ? AND revocation = ? RETURNING number
                    """,
                arguments: [user, UserRecord.Revoker.user, suspension.revocation]
            ).sorted()
            try database.execute(sql: "DELETE FROM suspension WHERE user = ?", arguments: [user])
            try Self.record([event(numbers)], in: database)
            return .changed(numbers)
        }
    }

    /// Takes the revocation of one registration back. What its own holder has given up stays so.
    func restore(_ user: String, device: Int, now: Int64, event: AuditEvent) throws(ServerFault) -> DeviceChange {
        try write { database in
            guard try Self.exists(user, in: database) else { return .none }
            guard let registration = try Self.registration(of: user, device, now: now, in: database) else {
                return .noDevice
            }
            guard registration.revoked != nil, registration.revoker != UserRecord.Revoker.owner else {
                return .unfit(registration)
            }
            try database.execute(
                sql: """
                    UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL, revocation = NULL
                    WHERE id = ?
                    """, arguments: [registration.id])
            try Self.record([event], in: database)
            return .changed([device])
        }
    }

    /// The registration of that number which administrators are shown.
    private static func registration(
        of user: String, _ device: Int, now: Int64, in database: Database
    ) throws -> RegistrationRecord? {
        let row = try Row.fetchOne(
            database, sql: "SELECT \(RegistrationRecord.columns) FROM registration WHERE user = ? AND number = ?",
            arguments: [user, device])
        guard let row else { return nil }
        let registration = try RegistrationRecord(row)
        return registration.isShown(at: now) ? registration : nil
    }

    private static func exists(_ user: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM registration WHERE user = :user)
                    OR EXISTS (SELECT 1 FROM invitation WHERE user = :user)
                    OR EXISTS (SELECT 1 FROM suspension WHERE user = :user)
                """,
            arguments: ["user": user]) ?? false
    }
}
