// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage
import Synchronization

/// Two clocks that stop until they are moved.
final class ManualClock: Sendable {
    /// 2026-06-15 12:00:00 UTC.
    static let noon: Int64 = 1_781_524_800

    private let start = ContinuousClock.now
    private let seconds: Mutex<(wall: Int64, monotonic: Int64)>

    init(wall: Int64 = ManualClock.noon) { seconds = Mutex((wall, 1_000)) }

    func advance(_ count: Int64) {
        seconds.withLock { $0 = ($0.wall + count, $0.monotonic + count) }
    }

    /// Sets the wall clock, as an administrator or the network does.
    func set(wall: Int64) { seconds.withLock { $0.wall = wall } }

    var clock: ServerClock {
        ServerClock(
            wall: { self.seconds.withLock { $0.wall * 1_000_000 } },
            monotonic: { self.start + .seconds(self.seconds.withLock(\.monotonic)) })
    }

    var wall: Int64 { seconds.withLock { $0.wall } }
}
