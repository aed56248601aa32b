// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

/// Values under keys, each until a point on the monotonic clock. Their number is limited: a new value displaces the
/// oldest.
///
/// Values are evicted in the order in which they were inserted or renewed. If all have the same lifetime, that is the
/// order in which they expire. Only the subscript finds an expired value that was not evicted yet.
package struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package struct Evicted: Sendable {
        package let key: Key
        package let value: Value
        let expires: Instant
    }

    private struct Entry: Sendable {
        var value: Value
        var expires: Instant
        /// The number of its insertion or renewal. Older arrivals of the same key are stale.
        var number: Int
    }

    private struct Arrival: Sendable {
        let key: Key
        let number: Int
    }

    /// The number of stale arrivals that are kept until the queue is cleaned.
    private static var slack: Int { 4_096 }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    /// A queue. Its valid part begins at `first`.
    private var arrivals: [Arrival] = []
    private var first = 0
    private var nextNumber = 0

    package init(limit: Int = .max) { self.limit = limit }

    /// How many values there are, including expired ones that were not evicted yet.
    package var count: Int { entries.count }

    /// All keys with their values, in no order, including expired ones that were not evicted yet.
    var all: [(key: Key, value: Value)] { entries.map { ($0.key, $0.value.value) } }

    package subscript(key: Key) -> Value? { entries[key]?.value }

    package func value(for key: Key, at now: Instant) -> Value? {
        guard let entry = entries[key], now < entry.expires else { return nil }
        return entry.value
    }

    /// Inserts a value, which replaces an older one of its key.
    ///
    /// - Returns: what was evicted: expired values, and the oldest one if there were too many.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, until expires: Instant, at now: Instant) -> [Evicted] {
        entries[key] = nil
        let evicted = evict(at: now, room: limit - 1)
        add(value, for: key, until: expires)
        return evicted
    }

    /// Replaces the value of a key, and keeps its expiry. Does nothing if the key has none.
    package mutating func replace(_ key: Key, with value: Value) {
        guard let index = entries.index(forKey: key) else { return }
        entries.values[index].value = value
    }

    /// Extends the lifetime of a value, and makes it the newest. Does nothing if the key has none.
    package mutating func renew(_ key: Key, until expires: Instant) {
        guard let entry = entries[key] else { return }
        add(entry.value, for: key, until: expires)
        removeStaleArrivals()
    }

    @discardableResult package mutating func remove(_ key: Key) -> Value? { entries.removeValue(forKey: key)?.value }

    @discardableResult package mutating func removeExpired(at now: Instant) -> [Evicted] { evict(at: now, room: .max) }

    private mutating func add(_ value: Value, for key: Key, until expires: Instant) {
        entries[key] = Entry(value: value, expires: expires, number: nextNumber)
        arrivals.append(Arrival(key: key, number: nextNumber))
        nextNumber += 1
    }

    private mutating func evict(at now: Instant, room: Int) -> [Evicted] {
        var evicted: [Evicted] = []
        while first < arrivals.count {
            let arrival = arrivals[first]
            if let entry = entries[arrival.key], entry.number == arrival.number {
                guard entry.expires <= now || entries.count > room else { break }
                entries[arrival.key] = nil
                evicted.append(Evicted(key: arrival.key, value: entry.value, expires: entry.expires))
            }
            first += 1
        }
        removeStaleArrivals()
        return evicted
    }

    /// Cleans the queue when most of it is stale, so that an arrival takes constant time on average.
    private mutating func removeStaleArrivals() {
        guard arrivals.count > 2 * entries.count + Self.slack else { return }
        arrivals = arrivals[first...].filter { entries[$0.key]?.number == $0.number }
        first = 0
    }
}
