// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

extension SQLiteStorage {
    /// Seconds after its retirement in which a command that started before may still have used a key.
    private static let overlap = 60

    /// The keys from earlier rotations that something in the database still needs.
    package func neededKeys(now: Int64) throws(ServerError) -> [RetiredKey] {
        try keys(
            where: """
                CASE purpose
                    WHEN '\(KeyPurpose.invitation.rawValue)' THEN EXISTS (
                        SELECT 1 FROM invitation WHERE expires > :now AND created <= retired + \(Self.overlap)
                    )
                    WHEN '\(KeyPurpose.backupCode.rawValue)' THEN EXISTS (
                        SELECT 1 FROM backupCode WHERE used IS NULL AND created <= retired + \(Self.overlap)
                    )
                    ELSE EXISTS (SELECT 1 FROM host WHERE created <= retired + \(Self.overlap)) END
                """, ["now": now])
    }

    /// The keys from earlier rotations for one purpose, newest first.
    package func retiredKeys(_ purpose: KeyPurpose) throws(ServerError) -> [RetiredKey] {
        try keys(where: "purpose = :purpose", ["purpose": purpose.rawValue])
    }

    private func keys(where condition: String, _ arguments: StatementArguments) throws(ServerError) -> [RetiredKey] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT purpose, retired, key FROM retiredKey WHERE \(condition) ORDER BY retired DESC, id DESC",
                arguments: arguments
            ).compactMap { row in
                guard let purpose = KeyPurpose(rawValue: row["purpose"]) else { return nil }
                return RetiredKey(purpose: purpose, retired: row["retired"], sealed: Array(row["key"] as Data))
            }
        }
    }

    /// Replaces everything that a sealing key has sealed, in one transaction.
    package func rotateKeys(
        shares: [Int: [UInt8]], secrets: [SealedSecret: [UInt8]], retired: [RetiredKey], event: AuditEvent
    ) throws(ServerError) {
        try write { database in
            for (name, secret) in secrets { try Self.replace(name, by: secret, in: database) }
            for (number, share) in shares {
                try database.execute(
                    sql: "UPDATE authority SET share = ? WHERE number = ?", arguments: [Data(share), number])
            }
            try database.execute(sql: "DELETE FROM retiredKey")
            for key in retired {
                try database.execute(
                    sql: "INSERT INTO retiredKey (purpose, retired, key) VALUES (?, ?, ?)",
                    arguments: [key.purpose.rawValue, key.retired, Data(key.sealed)])
            }
            try Self.record([event], in: database)
        }
    }
}
