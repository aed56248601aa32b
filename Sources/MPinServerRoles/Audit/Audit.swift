// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Logging
package import MPinServerStorage
import Synchronization

/// Writes the audit log for the services.
///
/// The event of a change is written in the transaction of the change. Other events, such as logins, wait briefly in
/// memory and are written together, so that no login waits for the disk because of them.
package final class Audit: Sendable {
    /// How many events may wait. Further ones are dropped, and their number is logged.
    private static let limit = 10_000
    /// How many events may wait until refused attempts share lines, so that they do not displace other events.
    private static let noteLimit = limit / 2
    /// How many users and sources have shared lines of their own in a minute.
    private static let sharedLines = 20

    private struct Queue {
        var events: [AuditEvent] = []
        var dropped = 0
        /// Whether the last attempt to write them failed.
        var isHeldUp = false
    }

    private let store: ServerStorage
    private let logger: Logger
    private let clock: ServerClock
    /// Limits how many lines refused attempts can cause: about 86,000 a day.
    private let notes = CommonLimit(each: (60, .seconds(1)), all: (600, .seconds(1)))
    /// The refused attempts beyond that limit.
    private let unlisted = Mutex(EventCounts<RequestSource>(limit: Audit.sharedLines))
    /// Limits how many lines users can cause by logins: 8,640 a day each.
    private let own = CommonLimit(each: (30, .seconds(10)), all: (20_000, .milliseconds(100)))
    /// The lines of each user beyond that limit.
    private let unlistedOwn = Mutex(EventCounts<String>(limit: Audit.sharedLines))
    private let queue = Mutex(Queue())

    package init(store: ServerStorage, logger: Logger, clock: ServerClock) {
        (self.store, self.logger, self.clock) = (store, logger, clock)
    }

    /// Adds an event that need not be durable at once.
    package func add(_ event: AuditEvent) {
        queue.withLock { queue in
            if queue.events.count < Self.limit { queue.events.append(event) } else { queue.dropped += 1 }
        }
    }

    /// Adds a login, or another action of a user that need not be durable at once. The number is limited, because a
    /// device can log in thousands of times in a minute; further ones of a user within a minute share a line.
    func addOwn(_ event: AuditEvent, of user: String) {
        let time = clock.monotonic()
        guard !own.take(.account(user), at: time) else { return add(event) }
        unlistedOwn.withLock { $0.add(event, of: user, at: time) }
    }

    /// Adds a refused attempt. The number is limited, because unauthenticated clients can make any number of attempts;
    /// further ones of a source share a line. Not for events after a right PIN, which must always be visible.
    func note(_ action: AuditAction, user: String? = nil, source: RequestSource) {
        let time = clock.monotonic()
        let event = AuditEvent(action, at: clock.now, user: user, source: source.text)
        guard length < Self.noteLimit, notes.take(source, at: time) else {
            return unlisted.withLock { $0.add(event, of: source, at: time) }
        }
        add(event)
    }

    /// Adds the lines that several events share, for the minutes that have ended; for all minutes if no time is given.
    /// They are added to a full queue as well, because they report a flood.
    private func addShared(at time: Instant?) {
        var lines = unlistedOwn.withLock({ $0.take(at: time) }).map { shared in
            shared.line(user: shared.user) { .moreLogins($0) }
        }
        lines += unlisted.withLock({ $0.take(at: time) }).map { shared in shared.line(user: nil) { .moreRefusals($0) } }
        queue.withLock { $0.events += lines }
    }

    package var length: Int { queue.withLock(\.events.count) }

    /// Writes the waiting events for the last time. Retries until none waits or the time is up, and logs the lost ones.
    package func finish(within patience: Duration) {
        let end = ContinuousClock.now + patience
        addShared(at: nil)
        flush()
        if queue.withLock({ !$0.events.isEmpty }) {
            logger.notice("stopping; waiting until the audit events are written")
        }
        while queue.withLock({ !$0.events.isEmpty }), ContinuousClock.now < end {
            // While the database is locked, the write itself waits; with a full disk it does not.
            usleep(100_000)
            flush()
        }
        for event in queue.withLock(\.events) {
            logger.error(
                "an audit event is lost",
                metadata: [
                    "event": "\(event.action.row.kind.rawValue)", "user": "\(event.user ?? "-")",
                    "time": "\(event.time.zulu)",
                ])
        }
    }

    /// Writes the waiting events. After an error they wait for the next attempt.
    package func flush() {
        addShared(at: clock.monotonic())
        let events = queue.withLock { queue in
            defer { queue.events = [] }
            return queue.events
        }
        guard !events.isEmpty else { return }
        do throws(ServerError) {
            try store.record(events)
            let (dropped, waited) = queue.withLock { queue in
                defer { (queue.dropped, queue.isHeldUp) = (0, false) }
                return (queue.dropped, queue.isHeldUp)
            }
            if waited { logger.notice("audit events are written again") }
            if dropped > 0 { logger.warning("audit events dropped", metadata: ["count": "\(dropped)"]) }
        } catch {
            let isNews = queue.withLock { queue in
                let waiting = events + queue.events
                queue.events = Array(waiting.prefix(Self.limit))
                queue.dropped += waiting.count - queue.events.count
                defer { queue.isHeldUp = true }
                return !queue.isHeldUp
            }
            if isNews {
                logger.error("cannot write audit events, will retry", metadata: ["reason": "\(error.message)"])
            }
        }
    }
}

extension EventCounts.Shared {
    /// The line that the events share. A single event keeps its own.
    fileprivate func line(user: String?, _ action: (AuditAction.SharedEvents) -> AuditAction) -> AuditEvent {
        guard count > 1 else { return first }
        let shared = AuditAction.SharedEvents(count: count, first: first.time, last: last.time)
        return AuditEvent(
            action(shared), at: last.time, user: user, source: source ?? "several",
            actor: self.user == nil ? nil : first.actor)
    }
}
