// SPDX-License-Identifier: Apache-2.0

/// Backup codes come in batches. The confirmation of a batch makes it valid and ends the previous one.
extension ServerStorage {
    /// Stores a batch of codes that are not valid yet. Replaces earlier ones that were never confirmed.
    ///
    /// - Parameters:
    ///   - batch: a number that no other batch of the user has had, so that a confirmation cannot confirm other codes.
    ///   - maker: the hash of the registration whose owner makes them.
    /// - Returns: false, and nothing changed, if the maker may no longer make codes.
    package func addBackupCodes(
        _ codes: [SealedCode], batch: Int, user: String, maker: [UInt8], now: Int64
    ) throws(ServerError) -> Bool {
        try write { connection in
            guard try Self.mayMakeCodes(maker, of: user, in: connection) else { return false }
            try connection.execute("DELETE FROM backup_code WHERE user_id = ? AND confirmed IS NULL", [user])
            for code in codes {
                try connection.execute(
                    "INSERT INTO backup_code (user_id, code, key, batch, created, maker) VALUES (?, ?, ?, ?, ?, ?)",
                    [user, code.hash, code.key, batch, now, maker])
            }
            return true
        }
    }

    /// The backup code of a user with a hash, used or not; nil if there is none.
    package func backupCode(_ hash: [UInt8], of user: String) throws(ServerError) -> SealedCode? {
        try readOnce { connection in
            try connection.value(
                "SELECT key FROM backup_code WHERE user_id = ? AND code = ?", [user, hash]
            ).map { SealedCode(hash: hash, key: $0) }
        }
    }

    /// Makes a batch of codes valid, and deletes all earlier codes.
    ///
    /// - Parameter maker: the hash of the registration that confirms them, which must have made them.
    /// - Returns: how many codes are valid now; nil, and nothing changed, if there is no such batch.
    package func confirmBackupCodes(
        _ batch: Int, user: String, maker: [UInt8], now: Int64, event: AuditEvent
    ) throws(ServerError) -> Int? {
        try write { connection -> Int? in
            let isThere = try connection.exists(
                "backup_code WHERE user_id = ? AND batch = ? AND maker = ?", [user, batch, maker])
            guard isThere, try Self.mayMakeCodes(maker, of: user, in: connection) else { return nil }
            try connection.execute(
                "UPDATE backup_code SET confirmed = ? WHERE user_id = ? AND batch = ? AND confirmed IS NULL",
                [now, user, batch])
            // A client repeats a confirmation whose answer was lost.
            if connection.changesCount > 0 {
                try connection.execute(
                    "DELETE FROM backup_code WHERE user_id = ? AND batch <> ?", [user, batch])
                try Self.record([event], in: connection)
            }
            return try Self.countBackupCodes(of: user, in: connection)
        }
    }

    func countBackupCodes(of user: String) throws(ServerError) -> Int {
        try readOnce { try Self.countBackupCodes(of: user, in: $0) }
    }

    static func countBackupCodes(of user: String, in connection: any Connection) throws -> Int {
        try connection.value(
            "SELECT count(*) FROM backup_code WHERE user_id = ? AND confirmed IS NOT NULL AND used IS NULL",
            [user]) ?? 0
    }

    /// Consumes a backup code for a registration, inside its transaction. Codes of a suspended user are not valid.
    ///
    /// - Returns: whether the code is valid. If not, nothing has changed.
    static func redeemBackupCode(
        _ code: [UInt8], user: String, for registration: [UInt8], at now: Timestamp, in connection: any Connection
    ) throws -> Bool {
        guard try suspension(barring: user, in: connection) == nil else { return false }
        try connection.execute(
            """
            UPDATE backup_code SET used = ?, registration = ?
            WHERE user_id = ? AND code = ? AND confirmed IS NOT NULL AND used IS NULL
            """, [now.seconds, registration, user, code])
        return connection.changesCount == 1
    }
}
