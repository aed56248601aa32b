// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// The keys of devices.
extension SQLiteStorage {
    package func signer(_ hash: [UInt8]) throws(ServerError) -> Signer {
        try readOnce { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT horizon.time AS horizon, registration.id AS id, registration.deviceKey AS deviceKey
                        FROM horizon LEFT JOIN registration ON registration.hash = ?
                        """), arguments: [Data(hash)])
            guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no horizon") }
            let key: Data? = row["deviceKey"]
            return Signer(registration: key.map { (row["id"], Array($0)) }, horizon: row["horizon"])
        }
    }

    package func bindKey(
        _ key: [UInt8], to hash: [UInt8], limits: AttemptLimits, event: @Sendable (Int) -> AuditEvent
    ) throws(ServerError) -> KeyBinding {
        // A registration that has a key causes no write, so that repeated requests cannot cause writes.
        if let known = try signer(hash).registration { return known.key == key ? .bound : .another }
        return try write { database in
            let number = try Int.fetchOne(
                database,
                sql: """
                    UPDATE registration SET deviceKey = ?
                    WHERE hash = ? AND deviceKey IS NULL AND state = ? AND revoked IS NULL AND failures < ?
                    RETURNING number
                    """,
                arguments: [Data(key), Data(hash), RegistrationRecord.State.registered.rawValue, limits.inARow])
            if let number {
                try Self.record([event(number)], in: database)
                return .bound
            }
            let present = try Data.fetchOne(
                database, sql: "SELECT deviceKey FROM registration WHERE hash = ? AND deviceKey IS NOT NULL",
                arguments: [Data(hash)])
            return present.map { Array($0) == key ? .bound : .another } ?? .barred
        }
    }
}

/// Valid registrations without a key.
extension SQLiteStorage {
    package func countRegistrationsWithoutKey() throws(ServerError) -> Int {
        try read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM registration WHERE deviceKey IS NULL AND revoked IS NULL AND state = ?",
                arguments: [RegistrationRecord.State.registered.rawValue]) ?? 0
        }
    }
}

/// The keys that a restore would remove.
extension SQLiteStorage {
    /// The hashes of the valid registrations that have a key.
    package func registrationsWithKey() throws(ServerError) -> [[UInt8]] {
        try read { database in
            try Data.fetchAll(
                database, sql: "SELECT hash FROM registration WHERE deviceKey IS NOT NULL AND revoked IS NULL"
            ).map { Array($0) }
        }
    }

    /// The users of those registrations that are valid here and have no key.
    package func usersWithoutKey(of hashes: [[UInt8]]) throws(ServerError) -> [String] {
        try read { database in
            try hashes.compactMap { hash in
                try String.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT user FROM registration
                            WHERE hash = ? AND deviceKey IS NULL AND revoked IS NULL
                            """), arguments: [Data(hash)])
            }
        }
    }
}
