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
        /// The source of all of them; nil if there were several sources.
        fileprivate(set) var source: String?

        fileprivate init(_ event: AuditEvent) { (first, last, source) = (event, event, event.source) }

        fileprivate mutating func add(_ event: AuditEvent) {
            last = event
            count += 1
            if event.source != source { source = nil }
        }
    }

    private struct Minute {
        var count = 0
        var shared: Shared?
    }

    /// How many events of a key get a line of their own in a minute.
    private let allowance: Int
    private var minutes = ExpiringTable<Key, Minute>()
    /// The lines of minutes that had ended when another one began.
    private var over: [Shared] = []

    init(allowance: Int) { self.allowance = allowance }

    /// Counts an event.
    ///
    /// - Returns: whether it gets a line of its own.
    mutating func add(_ event: AuditEvent, of key: Key, at now: Instant) -> Bool {
        let known = minutes[key]
        var minute = known ?? Minute()
        minute.count += 1
        let isAlone = minute.count <= allowance
        if !isAlone, minute.shared?.add(event) == nil { minute.shared = Shared(event) }
        if known == nil {
            over += minutes.insert(minute, for: key, until: now + .seconds(60), at: now).compactMap(\.value.shared)
        } else {
            // A minute that has ended continues until its line has been taken.
            minutes.replace(key, with: minute)
        }
        return isAlone
    }

    /// Takes the lines of the minutes that have ended; of all minutes if no time is given.
    mutating func take(at now: Instant?) -> [Shared] {
        defer { over = [] }
        if let now { return over + minutes.removeExpired(at: now).compactMap(\.value.shared) }
        defer { minutes = ExpiringTable() }
        return over + minutes.all.compactMap(\.value.shared)
    }
}
