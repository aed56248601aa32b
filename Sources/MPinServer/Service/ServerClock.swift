import Foundation

/// The two clocks the server goes by. A value, so that tests can move them.
package struct ServerClock: Sendable {
    /// Microseconds since 1970-01-01 UTC.
    package let wall: @Sendable () -> Int64
    /// Nanoseconds that nobody can set back, from an arbitrary start.
    package let monotonic: @Sendable () -> Int64

    package init(wall: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> Int64) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The clocks of the host.
    package static let system: ServerClock = {
        let start = ContinuousClock.now
        return ServerClock(
            wall: { Int64(Date().timeIntervalSince1970 * 1_000_000) },
            monotonic: {
                let (seconds, attoseconds) = (ContinuousClock.now - start).components
                return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
            })
    }()

    /// The moment it is.
    var now: Timestamp { Timestamp(microseconds: wall()) }
}
