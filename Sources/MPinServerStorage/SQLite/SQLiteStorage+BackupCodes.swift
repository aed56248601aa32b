// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// Backup codes come in batches. The confirmation of a batch makes it valid and ends the previous one.
extension SQLiteStorage {
    /// Stores a batch of codes that are not valid yet. Replaces earlier ones that were never confirmed.
    ///
    /// - Parameters:
    ///   - batch: a number that no other batch of the user has had, so that a confirmation cannot confirm other codes.
    ///   - maker: the hash of the registration whose owner makes them.
    /// - Returns: false, and nothing changed, if the maker may no longer make codes.
    package func addBackupCodes(
        _ codes: [SealedCode], batch: Int, user: String, maker: [UInt8], now: Int64
    ) throws(ServerError) -> Bool {
        try write { database in
            guard try Self.mayMakeCodes(maker, of: user, in: database) else { return false }
            try database.execute(sql: "DELETE FROM backupCode WHERE user = ? AND confirmed IS NULL", arguments: [user])
            for code in codes {
                try database.execute(
                    sql: "INSERT INTO backupCode (user, code, key, batch, created, maker) VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [user, Data(code.hash), Data(code.key), batch, now, Data(maker)])
            }
            return true
        }
    }

    /// The backup code of a user with a hash, used or not; nil if there is none.
    package func backupCode(_ hash: [UInt8], of user: String) throws(ServerError) -> SealedCode? {
        try readOnce { database in
            try Data.fetchOne(
                database, sql: "SELECT key FROM backupCode WHERE user = ? AND code = ?", arguments: [user, Data(hash)]
            ).map { SealedCode(hash: hash, key: Array($0)) }
        }
    }

    /// Makes a batch of codes valid, and deletes all earlier codes.
    ///
    /// - Parameter maker: the hash of the registration that confirms them, which must have made them.
    /// - Returns: how many codes are valid now; nil, and nothing changed, if there is no such batch.
    package func confirmBackupCodes(
        _ batch: Int, user: String, maker: [UInt8], now: Int64, event: AuditEvent
    ) throws(ServerError) -> Int? {
        try write { database -> Int? in
            let isThere = try Self.exists(
                "backupCode WHERE user = ? AND batch = ? AND maker = ?", [user, batch, Data(maker)], in: database)
            guard isThere, try Self.mayMakeCodes(maker, of: user, in: database) else { return nil }
            try database.execute(
                sql: "UPDATE backupCode SET confirmed = ? WHERE user = ? AND batch = ? AND confirmed IS NULL",
                arguments: [now, user, batch])
            // A client repeats a confirmation whose answer was lost.
            if database.changesCount > 0 {
                try database.execute(
                    sql: "DELETE FROM backupCode WHERE user = ? AND batch <> ?", arguments: [user, batch])
                try Self.record([event], in: database)
            }
            return try Self.countBackupCodes(of: user, in: database)
        }
    }

    func countBackupCodes(of user: String) throws(ServerError) -> Int {
        try readOnce { try Self.countBackupCodes(of: user, in: $0) }
    }

    static func countBackupCodes(of user: String, in database: Database) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM backupCode WHERE user = ? AND confirmed IS NOT NULL AND used IS NULL",
            arguments: [user]) ?? 0
    }

    /// Consumes a backup code for a registration, inside its transaction. Codes of a suspended user are not valid.
    ///
    /// - Returns: whether the code is valid. If not, nothing has changed.
    static func redeemBackupCode(
        _ code: [UInt8], user: String, for registration: [UInt8], at now: Timestamp, in database: Database
    ) throws -> Bool {
        guard try suspension(barring: user, in: database) == nil else { return false }
        try database.execute(
            sql: """
                UPDATE backupCode SET used = ?, registration = ?
                WHERE user = ? AND code = ? AND confirmed IS NOT NULL AND used IS NULL
                """, arguments: [now.seconds, Data(registration), user, Data(code)])
        return database.changesCount == 1
    }
}
