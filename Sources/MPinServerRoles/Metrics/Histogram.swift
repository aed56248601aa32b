import Synchronization

/// How often something took how long.
final class Histogram: Sendable {
    struct Counts: Sendable {
        /// For each of ``Histogram/bounds``, how often it took no longer than that, and longer than the bound before.
        var buckets = [Int](repeating: 0, count: Histogram.bounds.count)
        var count = 0
        var seconds = 0.0
    }

    /// In seconds: from what a disk with a battery needs to what is past bearing.
    static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    private let state = Mutex(Counts())

    func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { counts in
            counts.count += 1
            counts.seconds += seconds
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts.buckets[bucket] += 1 }
        }
    }

    var counts: Counts { state.withLock { $0 } }
}
