// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    static func record(_ events: [AuditEvent], in connection: any Connection) throws {
        guard !events.isEmpty else { return }
        // A repeated event is written, too, so that its commit waits as long as the first.
        let statement = """
            INSERT INTO audit (key, time, event, user_id, source, actor, detail) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET time = excluded.time
            """
        for event in events {
            let (kind, detail) = event.action.row
            // PostgreSQL stores no NUL in a text, and an event that cannot be written would delay all others.
            let texts = [event.user, event.source, event.actor, detail].map { $0?.replacing("\0", with: "") }
            try connection.execute(
                statement,
                [event.key, event.time.milliseconds, kind.rawValue, texts[0], texts[1], texts[2], texts[3]])
        }
    }

    package func record(_ events: [AuditEvent]) throws(ServerError) { try append { try Self.record(events, in: $0) } }

    /// The next events in order, oldest first. A limited number, so that a long log needs little memory.
    ///
    /// - Parameters:
    ///   - last: the place in the log after which to read.
    ///   - times: selects the events of these times, in milliseconds.
    ///   - isFollowed: whether later calls read on after the returned place. Then events wait until no event can come
    ///     before them.
    /// - Returns: the events; the place up to which the log was read; and whether that is its present end. Later events
    ///   come after that place.
    package func events(
        after last: AuditPlace, user: String?, times: Range<Int64>, isFollowed: Bool
    ) throws(ServerError) -> (events: [AuditLine], last: AuditPlace, isEnd: Bool) {
        try read { connection in
            let order = AuditOrder(connection.engine)
            let settled = isFollowed ? order.isSettled : "1 = 1"
            let end = try connection.row(
                "SELECT id, \(order.transaction) AS xid FROM audit WHERE \(settled) ORDER BY \(order.descending) LIMIT 1"
            )
            let newest = try end.map(AuditPlace.init) ?? .start
            // The numbers of SQLite begin again after the newest event has expired, with all others.
            let last = last > newest ? .start : last
            let rows = try connection.rows(
                """
                SELECT id, \(order.transaction) AS xid, time, event, user_id, source, actor, detail FROM audit
                WHERE \(order.isAfter) AND \(settled) AND (:user IS NULL OR user_id = :user)
                    AND time >= :from AND time < :to ORDER BY \(order.ascending) LIMIT :count
                """,
                [
                    "transaction": "\(last.transaction)", "id": last.id, "user": user, "from": times.lowerBound,
                    "to": times.upperBound, "count": Self.eventsAtOnce,
                ])
            // Events that are not selected are not searched again.
            let isEnd = rows.count < Self.eventsAtOnce
            let place = try isEnd ? newest : rows.last.map(AuditPlace.init) ?? newest
            let byTime = try rows.map { try (time: $0["time"] as Int64, place: AuditPlace($0), row: $0) }.sorted {
                ($0.time, $0.place) < ($1.time, $1.place)
            }
            return try (byTime.compactMap { try Self.line($0.row) }, place, isEnd)
        }
    }

    private static let eventsAtOnce = 1_000

    /// The place in the log before the newest events.
    ///
    /// - Parameter count: how many of the selected events come after the place; fewer if there are not so many.
    package func place(beforeNewest count: Int, user: String?, times: Range<Int64>) throws(ServerError) -> AuditPlace {
        try read { connection in
            let order = AuditOrder(connection.engine)
            return try connection.row(
                """
                SELECT id, \(order.transaction) AS xid FROM audit
                WHERE (:user IS NULL OR user_id = :user) AND time >= :from AND time < :to
                ORDER BY \(order.descending) LIMIT 1 OFFSET :count
                """, ["user": user, "from": times.lowerBound, "to": times.upperBound, "count": count]
            ).map(AuditPlace.init) ?? .start
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

    /// The number of the newest event in the log, or of the newest one of a kind; nil if there is none.
    package func newestEventNumber(_ kind: AuditKind? = nil) throws(ServerError) -> Int64? {
        try readOnce { connection in
            guard let kind else { return try connection.value("SELECT max(id) FROM audit") }
            return try connection.value("SELECT max(id) FROM audit WHERE event = ?", [kind.rawValue])
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
