// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// Ends the invitations and backup codes that users have made, when their makers lose the right to make them.
extension SQLiteStorage {
    /// Whether a registration may make codes that admit others. It may if it can log in itself.
    static func mayMakeCodes(_ maker: [UInt8], of user: String, in database: Database) throws -> Bool {
        guard try suspension(barring: user, in: database) == nil else { return false }
        return try exists(
            "registration WHERE hash = ? AND user = ? AND state = ? AND revoked IS NULL",
            [Data(maker), user, RegistrationEntry.State.registered.rawValue], in: database)
    }

    /// Deletes the codes that a user has made for own devices. An administrator has revoked one of the devices, and its
    /// holder may have these codes.
    static func endOwnCodes(of user: String, now: Int64, in database: Database) throws {
        try revokeUnfinished(
            """
            user = :user AND hash IN (
                SELECT registration FROM invitation WHERE user = :user AND maker IS NOT NULL
                UNION SELECT registration FROM backupCode WHERE user = :user
            )
            """, ["user": user], now: now, in: database)
        try database.execute(sql: "DELETE FROM backupCode WHERE user = ?", arguments: [user])
        try database.execute(sql: "DELETE FROM invitation WHERE user = ? AND maker IS NOT NULL", arguments: [user])
    }

    /// Deletes the codes that a registration has made, because its owner revoked it from another one.
    static func endCodes(by maker: Data, now: Int64, in database: Database) throws {
        try endInvitations(by: maker, now: now, in: database)
        try revokeUnfinished(
            "hash IN (SELECT registration FROM backupCode WHERE maker = :maker)", ["maker": maker], now: now,
            in: database)
        try database.execute(sql: "DELETE FROM backupCode WHERE maker = ?", arguments: [maker])
    }

    /// Deletes the invitations of a registration that has ended. Its backup codes remain, because they are made for
    /// this case.
    static func endInvitations(by maker: Data, now: Int64, in database: Database) throws {
        try revokeUnfinished(
            "hash IN (SELECT registration FROM invitation WHERE maker = :maker)", ["maker": maker], now: now,
            in: database)
        try database.execute(sql: "DELETE FROM invitation WHERE maker = ?", arguments: [maker])
    }

    /// Revokes registrations that have never logged in.
    static func revokeUnfinished(
        _ condition: String, _ arguments: [String: (any DatabaseValueConvertible)?], now: Int64, in database: Database
    ) throws {
        var arguments = arguments
        arguments["now"] = now
        arguments["replaced"] = UserRecord.Revoker.replaced
        try database.execute(
            sql: """
                UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
                WHERE confirmed IS NULL AND revoked IS NULL AND \(condition)
                """, arguments: StatementArguments(arguments))
    }
}
