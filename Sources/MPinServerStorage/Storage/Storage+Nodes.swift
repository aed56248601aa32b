// SPDX-License-Identifier: Apache-2.0

/// A server on a shared database.
package struct Node: Sendable {
    package let name: String
    package let version: String
    /// The settings that decide counts.
    package let settings: String
    package let started: Timestamp
    /// When it last wrote its row.
    package let seen: Timestamp
    /// When it stopped in order; nil if it runs, or if it was killed.
    package let stopped: Timestamp?
    /// The milliseconds by which its clock is ahead of the database's.
    package let clockError: Int64
    /// The milliseconds since it last wrote its row.
    package let silence: Int64

    /// After this time without a row, a node counts as stopped, in milliseconds.
    package static let patience: Int64 = 30_000

    package var isRunning: Bool { stopped == nil && silence < Self.patience }
}

/// What a server writes about itself.
package struct NodeReport: Sendable {
    let name: String
    /// Random, of one process.
    let instance: Int64
    let settings: String
    /// The last measurement.
    let clockError: Int64

    package init(name: String, instance: Int64, settings: String, clockError: Int64) {
        (self.name, self.instance, self.settings, self.clockError) = (name, instance, settings, clockError)
    }

    fileprivate var parameters: Parameters {
        [
            "name": name, "instance": instance, "version": ServerVersion.current, "settings": settings,
            "clock": clockError,
        ]
    }
}

/// The servers on a PostgreSQL database. SQLite has one server, whose process is known.
extension ServerStorage {
    /// How long the row of a stopped node is kept, in milliseconds.
    static let nodeLifetime: Int64 = 30 * 86_400_000

    private static let now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

    /// The time of the database's clock, in milliseconds since 1970.
    package func databaseTime() throws(ServerError) -> Int64 {
        try readOnce { connection in
            let time: Int64? = try connection.value("SELECT \(Self.now)")
            guard let time else { throw ServerError.damaged("no time") }
            return time
        }
    }

    /// Writes the row of a node, as durably as a login.
    ///
    /// - Parameter takesOver: whether to take the row from another process. Otherwise, only a row that is free is taken.
    /// - Returns: false, and nothing changed, if the row belongs to another process.
    package func recordNode(_ node: NodeReport, takesOver: Bool) throws(ServerError) -> Bool {
        try writeLogin(.disk) { connection in
            try connection.execute(
                """
                INSERT INTO node (name, instance, version, settings, started, time, clock)
                VALUES (:name, :instance, :version, :settings, \(Self.now), \(Self.now), :clock)
                ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, version = excluded.version,
                    settings = excluded.settings, time = excluded.time, clock = excluded.clock, stopped = NULL,
                    started = CASE WHEN node.instance = excluded.instance THEN node.started ELSE excluded.started END
                WHERE :takes OR node.instance = excluded.instance OR node.stopped IS NOT NULL
                    OR node.time < excluded.time - \(Node.patience)
                """, node.parameters + ["takes": takesOver])
            return connection.changesCount > 0
        }
    }

    /// Writes that a node has stopped in order.
    package func recordStop(_ node: NodeReport) throws(ServerError) {
        try writeLogin(.disk) { connection in
            try connection.execute(
                "UPDATE node SET stopped = \(Self.now), time = \(Self.now) WHERE name = :name AND instance = :instance",
                node.parameters)
        }
    }

    /// All nodes, by their names.
    package func nodes() throws(ServerError) -> [Node] {
        guard isShared else { return [] }
        return try readOnce { connection in
            try connection.rows("SELECT *, \(Self.now) AS now FROM node ORDER BY name").map { row in
                func time(_ milliseconds: Int64) -> Timestamp { Timestamp(microseconds: milliseconds &* 1_000) }
                let (seen, now): (Int64, Int64) = try (row["time"], row["now"])
                return try Node(
                    name: row["name"], version: row["version"], settings: row["settings"],
                    started: time(row["started"]), seen: time(seen), stopped: (row["stopped"] as Int64?).map(time),
                    clockError: max(-Self.nodeLifetime, min(Self.nodeLifetime, row["clock"])), silence: now &- seen)
            }
        }
    }
}
