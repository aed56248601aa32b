internal import Dispatch
import Synchronization

/// Lets requests wait until an attempt at the same registration has been settled.
final class ReservationWaiters: Sendable {
    private let waiting = Mutex<[[UInt8]: [DispatchSemaphore]]>([:])

    /// Begins to wait. Whoever asks afterwards how things stand misses nothing that is announced later.
    func join(_ hash: [UInt8]) -> DispatchSemaphore {
        let waiter = DispatchSemaphore(value: 0)
        waiting.withLock { $0[hash, default: []].append(waiter) }
        return waiter
    }

    /// Waits no longer.
    func leave(_ waiter: DispatchSemaphore, _ hash: [UInt8]) {
        waiting.withLock { waiting in
            waiting[hash]?.removeAll { $0 === waiter }
            if waiting[hash]?.isEmpty == true { waiting[hash] = nil }
        }
    }

    /// Whether somebody waits for a registration.
    func isAwaited(_ hash: [UInt8]) -> Bool { waiting.withLock { $0[hash] != nil } }

    /// Lets all go on that wait for a registration.
    func announce(_ hash: [UInt8]) {
        guard let waiters = waiting.withLock({ $0.removeValue(forKey: hash) }) else { return }
        for waiter in waiters { waiter.signal() }
    }
}
