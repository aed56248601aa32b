// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    static func record(_ events: [AuditEvent], in connection: any Connection) throws {
        guard !events.isEmpty else { return }
        let statement = "INSERT INTO audit (time, event, user_id, source, actor, detail) VALUES (?, ?, ?, ?, ?, ?)"
        for event in events {
            let (kind, detail) = event.action.row
            try connection.execute(
                statement,
                [event.time.milliseconds, kind.rawValue, event.user, event.source, event.actor, detail])
        }
    }

    package func record(_ events: [AuditEvent]) throws(ServerError) { try append { try Self.record(events, in: $0) } }

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
        try read { connection in
            let newest: Int64 = try connection.value("SELECT max(id) FROM audit") ?? 0
            // The numbers begin again after the newest event has expired, with all others.
            let last = last > newest ? 0 : last
            let rows = try connection.rows(
                """
                SELECT * FROM (
                    SELECT id, time, event, user_id, source, actor, detail FROM audit
                    WHERE id > ? AND (? IS NULL OR user_id = ?) AND time >= ? AND time < ? ORDER BY id LIMIT ?
                ) AS newest ORDER BY time, id
                """, [last, user, user, times.lowerBound, times.upperBound, Self.eventsAtOnce])
            // Events that are not selected are not searched again.
            let isEnd = rows.count < Self.eventsAtOnce
            return try (
                rows.compactMap(Self.line), isEnd ? newest : rows.map { try $0["id"] as Int64 }.max() ?? newest, isEnd
            )
        }
    }

    private static let eventsAtOnce = 1_000

    /// The place in the log before the newest events.
    ///
    /// - Parameter count: how many of the selected events come after the place; fewer if there are not so many.
    package func place(beforeNewest count: Int, user: String?, times: Range<Int64>) throws(ServerError) -> Int64 {
        try read { connection in
            try connection.value(
                """
                SELECT id FROM audit
                WHERE (? IS NULL OR user_id = ?) AND time >= ? AND time < ? ORDER BY id DESC LIMIT 1 OFFSET ?
                """, [user, user, times.lowerBound, times.upperBound, count]) ?? 0
        }
    }

    package func lastEvent(_ kind: AuditKind) throws(ServerError) -> AuditLine? {
        try read { connection in
            try connection.row(
                """
                SELECT time, event, user_id, source, actor, detail FROM audit
                WHERE event = ? ORDER BY id DESC LIMIT 1
                """, [kind.rawValue]
            ).flatMap(Self.line)
        }
    }

    package func hasEvent(_ kind: AuditKind, of user: String, since time: Timestamp) throws(ServerError) -> Bool {
        try read {
            try $0.exists(
                "audit WHERE user_id = ? AND event = ? AND time >= ?", [user, kind.rawValue, time.milliseconds])
        }
    }

    /// Nil for an event of a kind that this version does not know.
    private static func line(_ row: Row) throws -> AuditLine? {
        guard let kind = try AuditKind(rawValue: row["event"]) else { return nil }
        let milliseconds: Int64 = try row["time"]
        return try AuditLine(
            time: Timestamp(microseconds: milliseconds &* 1_000), kind: kind, user: row["user_id"],
            source: row["source"], actor: row["actor"], detail: row["detail"])
    }
}
