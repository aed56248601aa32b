internal import GRDB

extension SQLiteStorage {
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

    package func record(_ events: [AuditEvent]) throws(ServerFault) {
        try write { try Self.record(events, in: $0) }
    }

    package func events(user: String?, times: Range<Int64>, limit: Int) throws(ServerFault) -> [AuditEvent] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT time, event, user, source, actor, detail FROM audit
                    WHERE (? IS NULL OR user = ?) AND time >= ? AND time < ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: [user, user, times.lowerBound, times.upperBound, limit])
            return rows.reversed().compactMap(Self.event)
        }
    }

    package func events(
        after last: Int64, user: String?, times: Range<Int64>
    ) throws(ServerFault) -> (events: [AuditEvent], last: Int64)? {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, time, event, user, source, actor, detail FROM audit
                    WHERE id > ? AND (? IS NULL OR user = ?) AND time >= ? AND time < ? ORDER BY id LIMIT 1000
                    """,
                arguments: [last, user, user, times.lowerBound, times.upperBound])
            guard let end = rows.last?["id"] as Int64? else { return nil }
            return (rows.compactMap(Self.event), end)
        }
    }

    package func unsignedRefusals(_ user: String) throws(ServerFault) -> [Int: Timestamp] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT detail, max(time) AS time FROM audit WHERE user = ? AND event = ? GROUP BY detail",
                arguments: [user, AuditKind.refused.rawValue])
            var last: [Int: Timestamp] = [:]
            for row in rows {
                guard let detail: String = row["detail"], let device = UnsignedRefusal.device(of: detail) else {
                    continue
                }
                let milliseconds: Int64 = row["time"]
                let time = Timestamp(microseconds: milliseconds &* 1_000)
                if let known = last[device], known.milliseconds >= time.milliseconds { continue }
                last[device] = time
            }
            return last
        }
    }

    /// Nil for an event of a kind that this version does not know.
    private static func event(_ row: Row) -> AuditEvent? {
        guard let kind = AuditKind(rawValue: row["event"]) else { return nil }
        let milliseconds: Int64 = row["time"]
        return AuditEvent(
            kind, at: Timestamp(microseconds: milliseconds &* 1_000), user: row["user"], source: row["source"],
            actor: row["actor"], detail: row["detail"])
    }
}
