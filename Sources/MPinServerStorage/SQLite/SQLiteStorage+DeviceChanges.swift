// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import GRDB

/// The changes that administrators make to the registrations of a user.
///
/// A registration is revoked with all others of its user, which suspends the user, or individually. Restoring a user
/// restores only what was revoked with the user, so that a stolen device that was revoked individually stays revoked.
extension SQLiteStorage {
    /// Forgets the wrong PINs of a user: of all blocked devices that are not revoked, or of one device, blocked or not.
    package func unblock(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange {
        try write { database in
            let numbers = try Self.clearWrong(user, device: device, limits: limits, now: now, in: database)
            if !numbers.isEmpty { try Self.record([event(numbers)], in: database) }
            guard numbers.isEmpty else { return .changed(numbers) }
            guard let device else { return try Self.exists(user, in: database) ? .changed([]) : .none }
            return try Self.unchanged(user, device, now: now, in: database) { $0.revoked == nil }
        }
    }

    /// Forgets the wrong PINs of a user's devices, inside a transaction. Reservations stay: their attempts are not wrong
    /// PINs yet.
    ///
    /// - Returns: the numbers of the devices.
    package static func clearWrong(
        _ user: String, device: Int?, limits: AttemptLimits, now: Int64, in database: Database
    ) throws -> [Int] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                UPDATE registration SET failures = 0, recent = 0
                WHERE user = :user AND revoked IS NULL AND (:device IS NULL OR number = :device AND \(isShown))
                    AND (failures >= :inARow OR \(recentWrong) >= :recent)
                RETURNING id, number
                """,
            arguments: [
                "user": user, "device": device, "now": now, "start": limits.start(at: now),
                // A device that is named by its number is cleared of everything that counts against it.
                "inARow": device == nil ? limits.inARow : 1, "recent": device == nil ? limits.recent : 1,
            ])
        for row in rows {
            try database.execute(
                sql: "DELETE FROM attempt WHERE wrong = 1 AND registration = ?", arguments: [row["id"] as Int64])
        }
        return rows.map { $0["number"] as Int }.sorted()
    }

    /// Revokes all registrations and invitations of a user, and suspends the user.
    package func suspendUser(
        _ user: String, reason: String?, now: Int64, event: @Sendable ([Int]) -> AuditEvent
    ) throws(ServerError) -> DeviceChange {
        try write { database in
            // A repeated revocation keeps its number, unless it also revokes a device that was added since.
            let revocation = try Int.fetchOne(
                database,
                sql: """
                    INSERT INTO suspension (user, time, reason, revocation)
                        SELECT :user, :now, :reason, next
                        FROM (
                            SELECT coalesce(max(revocation), 0) + 1 AS next FROM registration WHERE user = :user
                        ) WHERE \(Self.isKnown)
                    ON CONFLICT (user) DO UPDATE SET
                        reason = coalesce(excluded.reason, reason),
                        revocation = CASE
                            WHEN EXISTS (
                                SELECT 1 FROM registration
                                WHERE registration.user = :user AND revoked IS NULL AND state = :registered
                            ) THEN max(excluded.revocation, suspension.revocation + 1)
                            ELSE suspension.revocation END
                    RETURNING revocation
                    """,
                arguments: [
                    "user": user, "now": now, "reason": reason,
                    "registered": RegistrationEntry.State.registered.rawValue,
                ])
            guard let revocation else { return .none }
            let numbers = try Int.fetchAll(
                database,
                sql: """
                    UPDATE registration SET revoked = ?, revoker = ?, reason = ?, revocation = ?
                    WHERE user = ? AND revoked IS NULL RETURNING number
                    """, arguments: [now, UserRecord.Revoker.administratorWithUser, reason, revocation, user]
            ).sorted()
            try Self.endOwnCodes(of: user, now: now, in: database)
            try database.execute(sql: "DELETE FROM invitation WHERE user = ?", arguments: [user])
            try Self.record([event(numbers)], in: database)
            return .changed(numbers)
        }
    }

    /// Revokes one registration of a user. If it was revoked with the user, restoring the user no longer restores it.
    package func revokeDevice(
        _ device: Int, of user: String, reason: String?, now: Int64, event: AuditEvent
    ) throws(ServerError) -> DeviceChange {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE registration SET
                        revoked = coalesce(revoked, :now), revoker = :revoker, reason = coalesce(:reason, reason),
                        revocation = NULL
                    WHERE user = :user AND number = :device AND \(Self.isShown)
                        AND (revoked IS NULL OR revoker = :withUser)
                    """,
                arguments: [
                    "now": now, "revoker": UserRecord.Revoker.administratorByDevice, "reason": reason, "user": user,
                    "device": device, "withUser": UserRecord.Revoker.administratorWithUser,
                ])
            guard database.changesCount == 1 else { return try Self.unchanged(user, device, now: now, in: database) }
            try Self.endOwnCodes(of: user, now: now, in: database)
            try Self.record([event], in: database)
            return .changed([device])
        }
    }

    /// Undoes the last revocation of a user: restores the registrations that it revoked, and lifts the suspension.
    ///
    /// - Returns: no changes if the user is not suspended.
    package func restoreUser(_ user: String, event: @Sendable ([Int]) -> AuditEvent) throws(ServerError) -> DeviceChange
    {
        try write { database in
            guard try Self.exists(user, in: database) else { return .none }
            let revocation = try Int.fetchOne(
                database, sql: "DELETE FROM suspension WHERE user = ? RETURNING revocation", arguments: [user])
            guard let revocation else { return .changed([]) }
            let numbers = try Int.fetchAll(
                database,
                sql: """
                    UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL, revocation = NULL
                    WHERE user = ? AND revoker = ? AND revocation = ? RETURNING number
                    """, arguments: [user, UserRecord.Revoker.administratorWithUser, revocation]
            ).sorted()
            try Self.record([event(numbers)], in: database)
            return .changed(numbers)
        }
    }

    /// Restores one registration, unless its owner revoked it.
    package func restoreDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> DeviceChange
    {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL, revocation = NULL
                    WHERE user = :user AND number = :device AND \(Self.isShown)
                        AND revoked IS NOT NULL AND revoker IS NOT :owner
                    """, arguments: ["user": user, "device": device, "now": now, "owner": UserRecord.Revoker.owner])
            guard database.changesCount == 1 else { return try Self.unchanged(user, device, now: now, in: database) }
            try Self.record([event], in: database)
            return .changed([device])
        }
    }

    /// The condition under which administrators see a registration, at `:now`. They do not see one that expired before
    /// its secret was fetched, or that another one has replaced.
    static let isShown = """
        (revoker IS NOT '\(UserRecord.Revoker.replaced)'
            AND (state = \(RegistrationEntry.State.registered.rawValue) OR expires > :now))
        """

    /// Why a change of one device changed nothing.
    ///
    /// - Parameter needsNone: whether the device already is in the state to which the change leads.
    private static func unchanged(
        _ user: String, _ device: Int, now: Int64, in database: Database,
        needsNone: (RegistrationEntry) -> Bool = { _ in false }
    ) throws -> DeviceChange {
        guard try exists(user, in: database) else { return .none }
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT \(RegistrationEntry.columns) FROM registration
                WHERE user = :user AND number = :device AND \(isShown)
                """, arguments: ["user": user, "device": device, "now": now])
        guard let row else { return .noDevice }
        let registration = try RegistrationEntry(row)
        return needsNone(registration) ? .changed([]) : .unfit(registration)
    }

    private static func exists(_ user: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT \(isKnown)", arguments: ["user": user]) ?? false
    }

    /// Whether anything is stored about `:user`.
    private static let isKnown = """
        (
            EXISTS (SELECT 1 FROM registration WHERE user = :user)
            OR EXISTS (SELECT 1 FROM invitation WHERE user = :user)
            OR EXISTS (SELECT 1 FROM suspension WHERE user = :user)
        )
        """
}

/// The changes that users make to their own registrations.
extension SQLiteStorage {
    /// Revokes one registration of a user by its number, and deletes the codes that it has made.
    ///
    /// - Returns: its number; nil if the owner does not see such a registration. One that was revoked before does not
    ///   change.
    package func revokeOwnDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> Int?
    {
        try write { database -> Int? in
            let hash = try Data.fetchOne(
                database,
                sql: """
                    UPDATE registration SET revoked = :now, revoker = :owner, reason = NULL
                    WHERE user = :user AND number = :device AND \(Self.isShown) AND revoked IS NULL RETURNING hash
                    """, arguments: ["now": now, "owner": UserRecord.Revoker.owner, "user": user, "device": device])
            if let hash {
                try Self.endCodes(by: hash, now: now, in: database)
                try Self.record([event], in: database)
                return device
            }
            return try Int.fetchOne(
                database,
                sql: "SELECT number FROM registration WHERE user = :user AND number = :device AND \(Self.isShown)",
                arguments: ["user": user, "device": device, "now": now])
        }
    }
}
