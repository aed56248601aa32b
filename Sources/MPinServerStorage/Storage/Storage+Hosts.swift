// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// Stores a host, or gives a host that exists a new secret.
    ///
    /// - Parameter secret: the keyed hash of its secret.
    package func setHost(_ name: String, secret: [UInt8], now: Int64, event: AuditEvent) throws(ServerError) {
        try write { connection in
            try connection.execute(
                """
                INSERT INTO host (name, secret, created) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET secret = excluded.secret, created = excluded.created
                """, [name, secret, now])
            try Self.record([event], in: connection)
        }
    }

    package func host(withSecret secret: [UInt8]) throws(ServerError) -> String? {
        try read { connection in
            try connection.value("SELECT name FROM host WHERE secret = ?", [secret])
        }
    }

    package func hosts() throws(ServerError) -> [(name: String, created: Int64)] {
        try read { connection in
            try connection.rows("SELECT name, created FROM host ORDER BY name").map {
                try ($0["name"], $0["created"])
            }
        }
    }

    /// Deletes a host.
    package func removeHost(_ name: String, event: AuditEvent) throws(ServerError) -> Bool {
        try write { connection in
            try connection.execute("DELETE FROM host WHERE name = ?", [name])
            guard connection.changesCount == 1 else { return false }
            try Self.record([event], in: connection)
            return true
        }
    }
}
