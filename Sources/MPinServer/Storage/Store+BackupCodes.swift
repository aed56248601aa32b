internal import Foundation
internal import GRDB
internal import MPinCrypto

/// Backup codes. They come in batches: a new one is good from its confirmation on, and ends the one before.
extension Store {
    /// Keeps the codes of a batch, which are not good yet, in place of others that were never confirmed.
    ///
    /// - Returns: the batch's number among those of the user.
    func addBackupCodes(_ hashes: [[UInt8]], user: String, now: Int64) throws(ServerFault) -> Int {
        try write { database in
            try database.execute(
                sql: "DELETE FROM backupCode WHERE user = ? AND confirmed IS NULL", arguments: [user])
            let last = try Int.fetchOne(
                database, sql: "SELECT max(batch) FROM backupCode WHERE user = ?", arguments: [user])
            let batch = (last ?? 0) + 1
            for hash in hashes {
                try database.execute(
                    sql: "INSERT INTO backupCode (user, code, batch, created) VALUES (?, ?, ?, ?)",
                    arguments: [user, Data(hash), batch, now])
            }
            return batch
        }
    }

    /// Makes the codes of a batch good, and those of before good no more.
    ///
    /// - Returns: how many are good now; nil, and nothing changed, when there is no such batch.
    func confirmBackupCodes(
        _ batch: Int, user: String, now: Int64, event: AuditEvent
    ) throws(ServerFault) -> Int? {
        try write { database -> Int? in
            let isThere = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM backupCode WHERE user = ? AND batch = ?)",
                arguments: [user, batch])
            guard isThere == true else { return nil }
            try database.execute(
                sql: "UPDATE backupCode SET confirmed = ? WHERE user = ? AND batch = ? AND confirmed IS NULL",
                arguments: [now, user, batch])
            // A confirmation whose answer was lost comes again.
            let isNew = database.changesCount > 0
            try database.execute(
                sql: "DELETE FROM backupCode WHERE user = ? AND batch < ?", arguments: [user, batch])
            if isNew { try Self.record([event], in: database) }
            return try Self.countBackupCodes(of: user, in: database)
        }
    }

    /// How many codes of a user are good.
    func countBackupCodes(of user: String) throws(ServerFault) -> Int {
        try readOnce { try Self.countBackupCodes(of: user, in: $0) }
    }

    static func countBackupCodes(of user: String, in database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM backupCode WHERE user = ? AND confirmed IS NOT NULL AND used IS NULL",
            arguments: [user]) ?? 0
    }

    /// Uses a backup code up for a registration, inside its transaction. A suspended user's are good for nothing.
    ///
    /// All codes of the user are compared, each in constant time.
    /// - Returns: whether it is good. If not, nothing has changed.
    static func redeemBackupCode(
        _ hashes: [[UInt8]], user: String, for registration: [UInt8], at now: Timestamp, in database: Database
    ) throws -> Bool {
        guard try suspension(barring: user, in: database) == nil else { return false }
        let known = try Data.fetchAll(
            database,
            sql: "SELECT code FROM backupCode WHERE user = ? AND confirmed IS NOT NULL AND used IS NULL",
            arguments: [user])
        var found: Data?
        for code in known {
            for hash in hashes where Hash.equal(Array(code), hash) { found = code }
        }
        guard let found else { return false }
        try database.execute(
            sql: "UPDATE backupCode SET used = ?, registration = ? WHERE user = ? AND code = ? AND used IS NULL",
            arguments: [now.seconds, Data(registration), user, found])
        return database.changesCount == 1
    }

    /// Deletes what lets a user's own devices in: an administrator has revoked one of them, and whoever has that one
    /// may have these.
    static func deleteOwnCodes(of user: String, in database: Database) throws {
        try database.execute(sql: "DELETE FROM backupCode WHERE user = ?", arguments: [user])
        try database.execute(sql: "DELETE FROM invitation WHERE user = ? AND maker IS NOT NULL", arguments: [user])
    }
}
