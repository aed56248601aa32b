// SPDX-License-Identifier: Apache-2.0

/// The changes that administrators make to the registrations of a user.
///
/// A registration is revoked with all others of its user, which suspends the user, or individually. Restoring a user
/// restores only what was revoked with the user, so that a stolen device that was revoked individually stays revoked.
extension ServerStorage {
    /// Forgets the wrong PINs of a user: of all blocked devices that are not revoked, or of one device, blocked or not.
    package func unblock(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange {
        try write { connection in
            let numbers = try Self.clearWrong(user, device: device, limits: limits, now: now, in: connection)
            if !numbers.isEmpty { try Self.record([event(numbers)], in: connection) }
            guard numbers.isEmpty else { return .changed(numbers) }
            guard let device else { return try Self.exists(user, in: connection) ? .changed([]) : .none }
            return try Self.unchanged(user, device, now: now, in: connection) { $0.revoked == nil }
        }
    }

    /// Forgets the wrong PINs of a user's devices, inside a transaction. Reservations stay: their attempts are not wrong
    /// PINs yet.
    ///
    /// - Returns: the numbers of the devices.
    package static func clearWrong(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, in connection: any Connection
    ) throws -> [Int] {
        let rows = try connection.rows(
            """
            UPDATE registration SET failures = 0, recent = 0
            WHERE user_id = :user AND revoked IS NULL AND (:device IS NULL OR number = :device AND \(isShown))
                AND (failures >= :inARow OR \(recentWrong) >= :recent)
            RETURNING id, number
            """,
            [
                "user": user, "device": device, "now": now, "start": limits.start(at: now),
                // A device that is named by its number is cleared of everything that counts against it.
                "inARow": device == nil ? limits.inARow : 1, "recent": device == nil ? limits.recent : 1,
            ])
        for row in rows {
            try connection.execute(
                "DELETE FROM attempt WHERE wrong = 1 AND registration = ?", [row["id"] as Int64])
        }
        return try rows.map { try $0["number"] as Int }.sorted()
    }

    /// Revokes all registrations and invitations of a user, and suspends the user.
    package func suspendUser(
        _ user: String, reason: String?, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange {
        try write { connection in
            // A repeated revocation keeps its number, unless it also revokes a device that was added since.
            let revocation: Int? = try connection.value(
                """
                INSERT INTO suspension (user_id, mailbox, time, reason, revocation)
                    SELECT :user, :mailbox, :now, :reason, next
                    FROM (
                        SELECT coalesce(max(revocation), 0) + 1 AS next FROM registration WHERE user_id = :user
                    ) AS numbers WHERE \(Self.isKnown)
                ON CONFLICT (user_id) DO UPDATE SET
                    reason = coalesce(excluded.reason, suspension.reason),
                    revocation = CASE
                        WHEN EXISTS (
                            SELECT 1 FROM registration
                            WHERE registration.user_id = :user AND revoked IS NULL AND state = :registered
                        ) THEN CASE WHEN excluded.revocation > suspension.revocation
                            THEN excluded.revocation ELSE suspension.revocation + 1 END
                        ELSE suspension.revocation END
                RETURNING revocation
                """,
                [
                    "user": user, "mailbox": Self.mailbox(of: user), "now": now, "reason": reason,
                    "registered": RegistrationEntry.State.registered.rawValue,
                ])
            guard let revocation else { return .none }
            let numbers: [Int] = try connection.values(
                """
                UPDATE registration SET revoked = ?, revoker = ?, reason = ?, revocation = ?
                WHERE user_id = ? AND revoked IS NULL RETURNING number
                """, [now, UserRecord.Revoker.administratorWithUser, reason, revocation, user]
            ).sorted()
            try Self.endOwnCodes(of: user, now: now, in: connection)
            try connection.execute("DELETE FROM invitation WHERE user_id = ?", [user])
            try Self.record([event(numbers)], in: connection)
            return .changed(numbers)
        }
    }

    /// Revokes one registration of a user. If it was revoked with the user, restoring the user no longer restores it.
    package func revokeDevice(
        _ device: Int, of user: String, reason: String?, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DeviceChange {
        try write { connection in
            try connection.execute(
                """
                UPDATE registration SET
                    revoked = coalesce(revoked, :now), revoker = :revoker, reason = coalesce(:reason, reason),
                    revocation = NULL
                WHERE user_id = :user AND number = :device AND \(Self.isShown)
                    AND (revoked IS NULL OR revoker = :withUser)
                """,
                [
                    "now": now, "revoker": UserRecord.Revoker.administratorByDevice, "reason": reason, "user": user,
                    "device": device, "withUser": UserRecord.Revoker.administratorWithUser,
                ])
            guard connection.changesCount == 1 else {
                return try Self.unchanged(user, device, now: now, in: connection)
            }
            try Self.endOwnCodes(of: user, now: now, in: connection)
            try Self.record([event], in: connection)
            return .changed([device])
        }
    }

    /// Undoes the last revocation of a user: restores the registrations that it revoked, and lifts the suspension.
    ///
    /// - Returns: no changes if the user is not suspended.
    package func restoreUser(_ user: String, event: @Sendable ([Int]) -> AuditEvent) throws(ServerError) -> DeviceChange
    {
        try write { connection in
            guard try Self.exists(user, in: connection) else { return .none }
            let revocation: Int? = try connection.value(
                "DELETE FROM suspension WHERE user_id = ? RETURNING revocation", [user])
            guard let revocation else { return .changed([]) }
            let numbers: [Int] = try connection.values(
                """
                UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL, revocation = NULL
                WHERE user_id = ? AND revoker = ? AND revocation = ? RETURNING number
                """, [user, UserRecord.Revoker.administratorWithUser, revocation]
            ).sorted()
            try Self.record([event(numbers)], in: connection)
            return .changed(numbers)
        }
    }

    /// Restores one registration, unless its owner revoked it.
    package func restoreDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> DeviceChange
    {
        try write { connection in
            try connection.execute(
                """
                UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL, revocation = NULL
                WHERE user_id = :user AND number = :device AND \(Self.isShown)
                    AND revoked IS NOT NULL AND revoker IS DISTINCT FROM :owner
                """, ["user": user, "device": device, "now": now, "owner": UserRecord.Revoker.owner])
            guard connection.changesCount == 1 else {
                return try Self.unchanged(user, device, now: now, in: connection)
            }
            try Self.record([event], in: connection)
            return .changed([device])
        }
    }

    /// The condition under which administrators see a registration, at `:now`. They do not see one that expired before
    /// its secret was fetched, or that another one has replaced.
    static let isShown = """
        (revoker IS DISTINCT FROM '\(UserRecord.Revoker.replaced)'
            AND (state = \(RegistrationEntry.State.registered.rawValue) OR expires > :now))
        """

    /// Why a change of one device changed nothing.
    ///
    /// - Parameter needsNone: whether the device already is in the state to which the change leads.
    private static func unchanged(
        _ user: String, _ device: Int, now: Int64, in connection: any Connection,
        needsNone: (RegistrationEntry) -> Bool = { _ in false }
    ) throws -> DeviceChange {
        guard try exists(user, in: connection) else { return .none }
        let row = try connection.row(
            """
            SELECT \(RegistrationEntry.columns) FROM registration
            WHERE user_id = :user AND number = :device AND \(isShown)
            """, ["user": user, "device": device, "now": now])
        guard let row else { return .noDevice }
        let registration = try RegistrationEntry(row)
        return needsNone(registration) ? .changed([]) : .unfit(registration)
    }

    private static func exists(_ user: String, in connection: any Connection) throws -> Bool {
        try connection.value("SELECT \(isKnown)", ["user": user]) ?? false
    }

    /// Whether anything is stored about `:user`.
    private static let isKnown = """
        (
            EXISTS (SELECT 1 FROM registration WHERE user_id = :user)
            OR EXISTS (SELECT 1 FROM invitation WHERE user_id = :user)
            OR EXISTS (SELECT 1 FROM suspension WHERE user_id = :user)
        )
        """
}

/// The changes that users make to their own registrations.
extension ServerStorage {
    /// Revokes one registration of a user by its number, and deletes the codes that it has made.
    ///
    /// - Returns: its number; nil if the owner does not see such a registration. One that was revoked before does not
    ///   change.
    package func revokeOwnDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> Int?
    {
        try write { connection -> Int? in
            let hash: [UInt8]? = try connection.value(
                """
                UPDATE registration SET revoked = :now, revoker = :owner, reason = NULL
                WHERE user_id = :user AND number = :device AND \(Self.isShown) AND revoked IS NULL RETURNING hash
                """, ["now": now, "owner": UserRecord.Revoker.owner, "user": user, "device": device])
            if let hash {
                try Self.endCodes(by: hash, now: now, in: connection)
                try Self.record([event], in: connection)
                return device
            }
            return try connection.value(
                "SELECT number FROM registration WHERE user_id = :user AND number = :device AND \(Self.isShown)",
                ["user": user, "device": device, "now": now])
        }
    }
}
