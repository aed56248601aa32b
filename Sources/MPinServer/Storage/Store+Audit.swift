internal import GRDB

extension Store {
    /// Adds events inside a transaction.
    static func record(_ events: [AuditEvent], in database: Database) throws {
        guard !events.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO audit (time, event, user, source, actor, detail) VALUES (?, ?, ?, ?, ?, ?)")
        for event in events {
            try statement.execute(arguments: [
                event.time.milliseconds, event.kind.rawValue, event.user, event.source, event.actor, event.detail,
            ])
        }
    }

    /// Adds events.
    func record(_ events: [AuditEvent]) throws(ServerFault) {
        try write { try Self.record(events, in: $0) }
    }

    /// The newest events, oldest first.
    ///
    /// - Parameters:
    ///   - user: only those about this user.
    ///   - since: only those at or after this time, in milliseconds.
    func events(user: String?, since: Int64, limit: Int) throws(ServerFault) -> [AuditEvent] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT time, event, user, source, actor, detail FROM audit
                    WHERE (? IS NULL OR user = ?) AND time >= ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: [user, user, since, limit])
            return rows.reversed().compactMap { row in
                guard let kind = AuditKind(rawValue: row["event"]) else { return nil }
                let milliseconds: Int64 = row["time"]
                return AuditEvent(
                    kind, at: Timestamp(microseconds: milliseconds &* 1_000), user: row["user"], source: row["source"],
                    actor: row["actor"], detail: row["detail"])
            }
        }
    }
}
