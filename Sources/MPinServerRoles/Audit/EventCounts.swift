// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// Counts the events of each key within a minute that begins with the first event, so that many events share one line
/// of the audit log.
struct EventCounts<Key: Hashable & Sendable>: Sendable {
    /// The events that share a line, at least one.
    struct Shared: Sendable {
        let first: AuditEvent
        fileprivate(set) var last: AuditEvent
        fileprivate(set) var count = 1
        /// The user and the source of all of them; nil if there were several.
        fileprivate(set) var user: String?
        fileprivate(set) var source: String?

        fileprivate init(_ event: AuditEvent) {
            (first, last) = (event, event)
            (user, source) = (event.user, event.source)
        }

        fileprivate mutating func add(_ event: AuditEvent) {
            last = event
            count += 1
            if event.user != user { user = nil }
            if event.source != source { source = nil }
        }
    }

    /// How many keys have a line of their own in a minute. All others share one, that of nil.
    private let limit: Int
    private var minutes = ExpiringTable<Key?, Shared>()
    /// The lines of minutes that had ended when another one began.
    private var over: [Shared] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ event: AuditEvent, of key: Key, at now: Instant) {
        let key = minutes[key] != nil || minutes.count < limit ? key : nil
        if var minute = minutes[key] {
            minute.add(event)
            // A minute that has ended continues until its line has been taken.
            minutes.replace(key, with: minute)
        } else {
            over += minutes.insert(Shared(event), for: key, until: now + .seconds(60), at: now).map(\.value)
        }
    }

    /// Takes the lines of the minutes that have ended; of all minutes if no time is given.
    mutating func take(at now: Instant?) -> [Shared] {
        defer { over = [] }
        if let now { return over + minutes.removeExpired(at: now).map(\.value) }
        defer { minutes = ExpiringTable() }
        return over + minutes.all.map(\.value)
    }
}
