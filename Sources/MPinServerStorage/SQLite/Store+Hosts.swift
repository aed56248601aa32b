internal import Foundation
internal import GRDB

extension Store {
    /// Keeps a host, or gives one that is there a new secret.
    ///
    /// - Parameter secret: the keyed hash of its secret.
    package func setHost(_ name: String, secret: [UInt8], now: Int64, event: AuditEvent) throws(ServerFault) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO host (name, secret, created) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET secret = excluded.secret, created = excluded.created
                    """,
                arguments: [name, Data(secret), now])
            try Self.record([event], in: database)
        }
    }

    /// The name of the host with that keyed hash.
    package func host(_ secret: [UInt8]) throws(ServerFault) -> String? {
        try read { database in
            try String.fetchOne(
                database, sql: "SELECT name FROM host WHERE secret = ?", arguments: [Data(secret)])
        }
    }

    /// The names of all hosts, and when each got its secret.
    package func hosts() throws(ServerFault) -> [(name: String, created: Int64)] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT name, created FROM host ORDER BY name").map {
                ($0["name"], $0["created"])
            }
        }
    }

    /// Forgets a host.
    ///
    /// - Returns: whether there was one of that name.
    package func removeHost(_ name: String, event: AuditEvent) throws(ServerFault) -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM host WHERE name = ?", arguments: [name])
            guard database.changesCount == 1 else { return false }
            try Self.record([event], in: database)
            return true
        }
    }
}
