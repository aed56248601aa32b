// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
import Synchronization

/// The requests that wait until another attempt at the same registration is settled.
final class ReservationWaiters: Sendable {
    private let waiting = Mutex<[[UInt8]: [DispatchSemaphore]]>([:])

    /// Begins to wait. A request that reads the state of the registration afterwards misses no announcement.
    func join(_ hash: [UInt8]) -> DispatchSemaphore {
        let waiter = DispatchSemaphore(value: 0)
        waiting.withLock { $0[hash, default: []].append(waiter) }
        return waiter
    }

    /// Stops waiting.
    func leave(_ waiter: DispatchSemaphore, _ hash: [UInt8]) {
        waiting.withLock { waiting in
            waiting[hash]?.removeAll { $0 === waiter }
            if waiting[hash]?.isEmpty == true { waiting[hash] = nil }
        }
    }

    /// Whether a request waits for a registration.
    func isAwaited(_ hash: [UInt8]) -> Bool { waiting.withLock { $0[hash] != nil } }

    /// Wakes all requests that wait for a registration.
    func announce(_ hash: [UInt8]) {
        guard let waiters = waiting.withLock({ $0.removeValue(forKey: hash) }) else { return }
        for waiter in waiters { waiter.signal() }
    }
}
