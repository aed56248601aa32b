// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The length of a queue that does not report it.
final class QueueLength: Sendable {
    /// An element that waits until its turn, or until it is dropped because its work was canceled.
    final class Slot: Sendable {
        private let queue: QueueLength
        private let isLeft = Atomic(false)

        init(in queue: QueueLength) {
            self.queue = queue
            queue.length.add(1, ordering: .relaxed)
        }

        deinit { leave() }

        func leave() {
            guard !isLeft.exchange(true, ordering: .relaxed) else { return }
            queue.length.subtract(1, ordering: .relaxed)
        }
    }

    private let length = Atomic(0)

    var count: Int { length.load(ordering: .relaxed) }
}
