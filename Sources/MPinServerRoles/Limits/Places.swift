// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Places that are taken while something waits or is in progress.
package final class Places: Sendable {
    /// A place that is taken. It is released with its last reference, or before.
    package final class Taken: Sendable {
        private let places: Places
        private let isFree = Atomic(false)

        fileprivate init(_ places: Places) { self.places = places }

        deinit { leave() }

        package func leave() {
            guard !isFree.exchange(true, ordering: .relaxed) else { return }
            places.taken.withLock { $0 -= 1 }
        }
    }

    private let limit: Int
    private let taken = Mutex(0)

    package init(limit: Int = .max) { self.limit = limit }

    package var count: Int { taken.withLock { $0 } }

    package func take() -> Taken? {
        let hasRoom = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        return hasRoom ? Taken(self) : nil
    }
}
