// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A histogram of durations.
package final class Histogram: Sendable {
    package struct Counts: Sendable {
        /// For each of ``Histogram/bounds``, the number of durations up to it and above the previous bound.
        package var buckets = [Int](repeating: 0, count: Histogram.bounds.count)
        package var count = 0
        package var seconds = 0.0
    }

    /// In seconds: from the time of a disk with a battery to an unacceptable time.
    package static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    private let state = Mutex(Counts())

    init() {}

    package func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { counts in
            counts.count += 1
            counts.seconds += seconds
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts.buckets[bucket] += 1 }
        }
    }

    package var counts: Counts { state.withLock { $0 } }
}
