// SPDX-License-Identifier: Apache-2.0

/// A place in the audit log, after an event.
package struct AuditPlace: Sendable, Comparable {
    /// The transaction that has written the event; 0 with SQLite.
    let transaction: Int64
    /// The number of the event.
    let id: Int64

    /// The place before all events.
    package static let start = AuditPlace(transaction: 0, id: 0)

    private init(transaction: Int64, id: Int64) { (self.transaction, self.id) = (transaction, id) }

    init(_ row: Row) throws { try self.init(transaction: row["xid"], id: row["id"]) }

    package static func < (left: AuditPlace, right: AuditPlace) -> Bool {
        (left.transaction, left.id) < (right.transaction, right.id)
    }
}

/// The order of the audit log, as parts of statements.
///
/// PostgreSQL commits events in another order than that of their numbers. So a reader that follows the log by number
/// misses some. Ordered by transaction, an event is final once all transactions up to its own have ended
/// (https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT).
struct AuditOrder {
    let transaction: String
    /// Whether an event is after the place `:transaction` and `:id`.
    let isAfter: String
    /// Whether no event can come before an event any more.
    let isSettled: String
    let ascending: String
    let descending: String

    init(_ engine: EngineKind) {
        switch engine {
        case .sqlite:
            (transaction, isAfter, isSettled) = ("0", "id > :id", "1 = 1")
            (ascending, descending) = ("id", "id DESC")
        case .postgresql:
            transaction = "CAST(CAST(audit.xid AS text) AS bigint)"
            isAfter = "(audit.xid, id) > (CAST(CAST(:transaction AS text) AS xid8), :id)"
            isSettled = "audit.xid < pg_snapshot_xmin(pg_current_snapshot())"
            (ascending, descending) = ("audit.xid, id", "audit.xid DESC, id DESC")
        }
    }
}
