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

    package func countRegistrationsWithoutKey() throws(ServerError) -> Int {
        try read { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM registration WHERE deviceKey IS NULL AND revoked IS NULL AND state = ?",
                arguments: [RegistrationEntry.State.registered.rawValue]) ?? 0
        }
    }
}
