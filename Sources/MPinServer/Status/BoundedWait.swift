// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Waits for work that may never end.
///
/// A task group would wait for all of its tasks, even for one that hangs.
enum BoundedWait {
    private final class Answer<T: Sendable>: Sendable {
        private let waiting: Mutex<CheckedContinuation<T?, Never>?>

        init(_ waiting: CheckedContinuation<T?, Never>) { self.waiting = Mutex(waiting) }

        /// Gives the answer. Only the first call has an effect.
        func give(_ answer: T?) {
            let waiting = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiting?.resume(returning: answer)
        }
    }

    /// The result of some work; nil if it fails or takes longer. In the latter case the work continues unattended.
    static func answer<T: Sendable>(
        within patience: Duration, of work: @escaping @Sendable () async throws -> T
    ) async -> T? {
        await withCheckedContinuation { continuation in
            let answer = Answer(continuation)
            let timer = Task {
                try? await Task.sleep(for: patience)
                answer.give(nil)
            }
            Task {
                answer.give(try? await work())
                timer.cancel()
            }
        }
    }
}
