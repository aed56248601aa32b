// SPDX-License-Identifier: Apache-2.0

/// Ends the invitations and backup codes that users have made, when their makers lose the right to make them.
extension ServerStorage {
    /// Whether a registration may make codes that admit others. It may if it can log in itself.
    static func mayMakeCodes(_ maker: [UInt8], of user: String, in connection: any Connection) throws -> Bool {
        guard try suspension(barring: user, in: connection) == nil else { return false }
        return try connection.exists(
            "registration WHERE hash = ? AND user_id = ? AND state = ? AND revoked IS NULL",
            [maker, user, RegistrationEntry.State.registered.rawValue])
    }

    /// Deletes the codes that a user has made for own devices. An administrator has revoked one of the devices, and its
    /// holder may have these codes.
    static func endOwnCodes(of user: String, now: Int64, in connection: any Connection) throws {
        try revokeUnfinished(
            """
            user_id = :user AND hash IN (
                SELECT registration FROM invitation WHERE user_id = :user AND maker IS NOT NULL
                UNION SELECT registration FROM backup_code WHERE user_id = :user
            )
            """, ["user": user], now: now, in: connection)
        try connection.execute("DELETE FROM backup_code WHERE user_id = ?", [user])
        try connection.execute("DELETE FROM invitation WHERE user_id = ? AND maker IS NOT NULL", [user])
    }

    /// Deletes the codes that a registration has made, because its owner revoked it from another one.
    static func endCodes(by maker: [UInt8], now: Int64, in connection: any Connection) throws {
        try endInvitations(by: maker, now: now, in: connection)
        try revokeUnfinished(
            "hash IN (SELECT registration FROM backup_code WHERE maker = :maker)", ["maker": maker], now: now,
            in: connection)
        try connection.execute("DELETE FROM backup_code WHERE maker = ?", [maker])
    }

    /// Deletes the invitations of a registration that has ended. Its backup codes remain, because they are made for
    /// this case.
    static func endInvitations(by maker: [UInt8], now: Int64, in connection: any Connection) throws {
        try revokeUnfinished(
            "hash IN (SELECT registration FROM invitation WHERE maker = :maker)", ["maker": maker], now: now,
            in: connection)
        try connection.execute("DELETE FROM invitation WHERE maker = ?", [maker])
    }

    /// Revokes registrations that have never logged in.
    static func revokeUnfinished(
        _ condition: String, _ arguments: Parameters, now: Int64, in connection: any Connection
    ) throws {
        let arguments = arguments + ["now": now, "replaced": UserRecord.Revoker.replaced]
        try connection.execute(
            """
            UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
            WHERE confirmed IS NULL AND revoked IS NULL AND \(condition)
            """, arguments)
    }
}
