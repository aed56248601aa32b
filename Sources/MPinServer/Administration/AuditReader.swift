// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

/// Reads the audit log onward from a place. Between two calls it keeps neither a transaction nor a lock.
package struct AuditReader {
    private let store: SQLiteStorage
    private let user: String?
    /// In milliseconds.
    private let times: Range<Int64>
    /// The place up to which the log was read.
    private var last: Int64

    init(_ store: SQLiteStorage, user: String?, times: Range<Int64>, after last: Int64 = 0) {
        (self.store, self.user, self.times, self.last) = (store, user, times, last)
    }

    /// Reads up to the present end of the log, in parts.
    package mutating func read(_ body: ([AuditLine]) -> Void) throws(ServerError) {
        while true {
            let next = try store.events(after: last, user: user, times: times)
            body(next.events)
            last = next.last
            if next.isEnd { return }
        }
    }
}
