// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Minima of processor time: what an operation costs when nothing disturbs it.
enum Stopwatch {
    /// Processor time of this process, in microseconds.
    static var processor: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// Time that passes, in microseconds.
    static var wall: Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// Runs several operations in turns and returns the minimum of each, in microseconds.
    ///
    /// In turns, so that what slows the machine down for a while slows all of them down.
    static func minima(rounds: Int = 120, _ operations: [(times: Int, body: () throws -> Void)]) throws -> [Double] {
        var minima = operations.map { _ in Double.infinity }
        for _ in 0..<rounds {
            for (index, operation) in operations.enumerated() {
                let start = processor
                for _ in 0..<operation.times { try operation.body() }
                minima[index] = min(minima[index], (processor - start) / Double(operation.times))
            }
        }
        return minima
    }
}
