// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
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
                        SELECT 1 FROM backup_code WHERE used IS NULL AND created <= retired + \(Self.overlap)
                    )
                    ELSE EXISTS (SELECT 1 FROM host WHERE created <= retired + \(Self.overlap)) END
                """, ["now": now])
    }

    /// The keys from earlier rotations for one purpose, newest first.
    package func retiredKeys(_ purpose: KeyPurpose) throws(ServerError) -> [RetiredKey] {
        try keys(where: "purpose = :purpose", ["purpose": purpose.rawValue])
    }

    private func keys(where condition: String, _ arguments: Parameters) throws(ServerError) -> [RetiredKey] {
        try read { connection in
            try connection.rows(
                "SELECT purpose, retired, key FROM retired_key WHERE \(condition) ORDER BY retired DESC, id DESC",
                arguments
            ).compactMap { row in
                guard let purpose = try KeyPurpose(rawValue: row["purpose"]) else { return nil }
                return try RetiredKey(purpose: purpose, retired: row["retired"], sealed: row["key"])
            }
        }
    }

    /// Replaces everything that a sealing key has sealed, in one transaction.
    package func rotateKeys(
        shares: [Int: [UInt8]], secrets: [SealedSecret: [UInt8]], retired: [RetiredKey], event: AuditEvent
    ) throws(ServerError) {
        try write { connection in
            for (name, secret) in secrets { try Self.replace(name, by: secret, in: connection) }
            for (number, share) in shares {
                try connection.execute(
                    "UPDATE authority SET share = ? WHERE number = ?", [share, number])
            }
            try connection.execute("DELETE FROM retired_key")
            for key in retired {
                try connection.execute(
                    "INSERT INTO retired_key (purpose, retired, key) VALUES (?, ?, ?)",
                    [key.purpose.rawValue, key.retired, key.sealed])
            }
            try Self.record([event], in: connection)
        }
    }
}
