// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

extension SQLiteStorage {
    /// Stores a host, or gives a host that exists a new secret.
    ///
    /// - Parameter secret: the keyed hash of its secret.
    package func setHost(_ name: String, secret: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO host (name, secret, created) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET secret = excluded.secret, created = excluded.created
                    """, arguments: [name, Data(secret), now])
            try Self.record([event], in: database)
        }
    }

    package func host(withSecret secret: [UInt8]) throws(ServerError) -> String? {
        try read { database in
            try String.fetchOne(database, sql: "SELECT name FROM host WHERE secret = ?", arguments: [Data(secret)])
        }
    }

    package func hosts() throws(ServerError) -> [(name: String, created: Int64)] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT name, created FROM host ORDER BY name").map {
                ($0["name"], $0["created"])
            }
        }
    }

    /// Deletes a host.
    package func removeHost(_ name: String, event: AuditEvent) throws(ServerError) -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM host WHERE name = ?", arguments: [name])
            guard database.changesCount == 1 else { return false }
            try Self.record([event], in: database)
            return true
        }
    }
}
