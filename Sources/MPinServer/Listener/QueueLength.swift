import Synchronization

/// How much waits in a queue that does not tell.
final class QueueLength: Sendable {
    /// One that waits, until its turn, or until it is dropped as work that is canceled before.
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
