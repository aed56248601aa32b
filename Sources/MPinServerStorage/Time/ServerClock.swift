// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A point on the monotonic clock.
package typealias Instant = ContinuousClock.Instant

/// The two clocks of the server. A value that tests can replace.
package struct ServerClock: Sendable {
    /// The wall clock: microseconds since 1970-01-01 UTC.
    let wall: @Sendable () -> Int64
    /// The monotonic clock, which does not change when an administrator sets the time.
    package let monotonic: @Sendable () -> Instant

    package init(wall: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> Instant) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The clocks of the host.
    package static let system = ServerClock(
        wall: { Int64(Date().timeIntervalSince1970 * 1_000_000) }, monotonic: { .now })

    /// The time of the wall clock.
    package var now: Timestamp { Timestamp(microseconds: wall()) }
}
