// SPDX-License-Identifier: Apache-2.0

/// What a PostgreSQL database does for the durability of counts.
package struct DatabaseCheck: Sendable {
    package let version: String
    /// The host that accepts writes.
    package let primary: String?
    /// How many standbys are connected.
    package let standbys: Int
    /// Whether a commit waits for a standby.
    package let isSynchronous: Bool
    /// What an administrator should change, as sentences.
    package let warnings: [String]
}

extension ServerStorage {
    /// Nil for an SQLite database.
    package func checkDatabase() throws(ServerError) -> DatabaseCheck? {
        guard isShared else { return nil }
        return try readOnce { connection in
            let row = try connection.row(
                """
                SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
                    current_setting('full_page_writes') AS pages,
                    current_setting('synchronous_standby_names') AS synchronous,
                    standbys, waited, hidden
                FROM (
                    SELECT count(*) AS standbys, count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS waited,
                        count(*) FILTER (WHERE sync_state IS NULL) AS hidden
                    FROM pg_stat_replication
                ) AS replication
                """)
            guard let row else { throw ServerError.damaged("no settings") }
            let (standbys, synchronous): (Int, String) = try (row["standbys"], row["synchronous"])
            var warnings: [String] = []
            for (name, value) in try [("fsync", row["fsync"] as String), ("full_page_writes", row["pages"])]
            where value == "off" {
                warnings.append("PostgreSQL runs with \(name) = off: a power failure can lose counts of wrong PINs.")
            }
            let (waited, hidden): (Int, Int) = try (row["waited"], row["hidden"])
            let needed = Self.standbysNeeded(synchronous)
            if !synchronous.isEmpty, hidden > 0 {
                warnings.append(
                    "This role cannot see whether a standby confirms commits. On the primary: GRANT pg_monitor TO mpin")
            } else if !synchronous.isEmpty, waited < needed {
                warnings.append(
                    """
                    \(waited) of the \(needed) standbys that synchronous_standby_names \
                    ('\(synchronous)') needs are connected, so all logins wait.
                    """)
            } else if standbys == 0 {
                warnings.append("PostgreSQL has no standby: all enrollments depend on one disk, and on its backups.")
            } else if synchronous.isEmpty {
                warnings.append(
                    "No standby is synchronous: a failover can lose the last counts of wrong PINs and revocations.")
            }
            return try DatabaseCheck(
                version: row["version"], primary: primary, standbys: standbys, isSynchronous: !synchronous.isEmpty,
                warnings: warnings)
        }
    }

    /// How many standbys a commit waits for, by the syntax of `synchronous_standby_names`: `NAMES`, `2 (NAMES)`,
    /// `FIRST 2 (NAMES)` or `ANY 2 (NAMES)`.
    private static func standbysNeeded(_ setting: String) -> Int {
        guard let end = setting.firstIndex(of: "(") else { return setting.isEmpty ? 0 : 1 }
        return setting[..<end].split(separator: " ").last.flatMap { Int($0) } ?? 1
    }
}
