// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension SQLiteStorage {
    static func record(_ events: [AuditEvent], in database: Database) throws {
        guard !events.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO audit (time, event, user, source, actor, detail) VALUES (?, ?, ?, ?, ?, ?)")
        for event in events {
            let (kind, detail) = event.action.row
            try statement.execute(arguments: [
                event.time.milliseconds, kind.rawValue, event.user, event.source, event.actor, detail,
            ])
        }
    }

    package func record(_ events: [AuditEvent]) throws(ServerError) { try write { try Self.record(events, in: $0) } }

    /// The next events in order, oldest first. A limited number, so that a long log needs little memory.
    ///
    /// - Parameters:
    ///   - last: the place in the log after which to read; 0 for its beginning.
    ///   - times: selects the events of these times, in milliseconds.
    /// - Returns: the events; the place up to which the log was read; and whether that is its present end. Later events
    ///   come after that place.
    package func events(
        after last: Int64, user: String?, times: Range<Int64>
    ) throws(ServerError) -> (events: [AuditLine], last: Int64, isEnd: Bool) {
        try read { database in
            let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM audit") ?? 0
            // The numbers begin again after the newest event has expired, with all others.
            let last = last > newest ? 0 : last
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM (
                        SELECT id, time, event, user, source, actor, detail FROM audit
                        WHERE id > ? AND (? IS NULL OR user = ?) AND time >= ? AND time < ? ORDER BY id LIMIT ?
                    ) ORDER BY time, id
                    """, arguments: [last, user, user, times.lowerBound, times.upperBound, Self.eventsAtOnce])
            // Events that are not selected are not searched again.
            let isEnd = rows.count < Self.eventsAtOnce
            return (rows.compactMap(Self.line), isEnd ? newest : rows.map { $0["id"] as Int64 }.max() ?? newest, isEnd)
        }
    }

    private static let eventsAtOnce = 1_000

    /// The place in the log before the newest events.
    ///
    /// - Parameter count: how many of the selected events come after the place; fewer if there are not so many.
    package func place(beforeNewest count: Int, user: String?, times: Range<Int64>) throws(ServerError) -> Int64 {
        try read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT id FROM audit
                    WHERE (? IS NULL OR user = ?) AND time >= ? AND time < ? ORDER BY id DESC LIMIT 1 OFFSET ?
                    """, arguments: [user, user, times.lowerBound, times.upperBound, count]) ?? 0
        }
    }

    package func lastEvent(_ kind: AuditKind) throws(ServerError) -> AuditLine? {
        try read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT time, event, user, source, actor, detail FROM audit
                    WHERE event = ? ORDER BY id DESC LIMIT 1
                    """, arguments: [kind.rawValue]
            ).flatMap(Self.line)
        }
    }

    package func hasEvent(_ kind: AuditKind, of user: String, since time: Timestamp) throws(ServerError) -> Bool {
        try read {
            try Self.exists(
                "audit WHERE user = ? AND event = ? AND time >= ?", [user, kind.rawValue, time.milliseconds], in: $0)
        }
    }

    /// Nil for an event of a kind that this version does not know.
    private static func line(_ row: Row) -> AuditLine? {
        guard let kind = AuditKind(rawValue: row["event"]) else { return nil }
        let milliseconds: Int64 = row["time"]
        return AuditLine(
            time: Timestamp(microseconds: milliseconds &* 1_000), kind: kind, user: row["user"],
            source: row["source"], actor: row["actor"], detail: row["detail"])
    }
}
