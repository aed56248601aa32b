import Synchronization

/// How registrations stand, and the count of their wrong PINs.
///
/// Callers hold the lock of the registration. A wrong PIN that cannot be written down is kept in memory and counts all
/// the same, so that a full disk gives nobody more tries.
final class Ledger: Sendable {
    private let store: Store
    private let unwritten = Mutex<[[UInt8]: Int]>([:])

    init(store: Store) { self.store = store }

    /// The registration of an M-Pin ID's hash, with every wrong PIN there was.
    func registration(_ hash: [UInt8]) throws(ServerFault) -> (registration: Registration, failures: Int)? {
        guard let registration = try store.registration(hash) else { return nil }
        return (registration, registration.failures + pending(hash))
    }

    /// Counts a wrong PIN, durably.
    ///
    /// - Returns: the count.
    func addFailure(_ hash: [UInt8], event: AuditEvent) throws(ServerFault) -> Int {
        let count = pending(hash) + 1
        do throws(ServerFault) {
            let total = try store.addFailures(hash, count: count, event: event)
            setPending(hash, 0)
            return total
        } catch {
            setPending(hash, count)
            throw error
        }
    }

    /// Forgets the wrong PINs after a right one, durably. Costs nothing where there were none.
    func clearFailures(_ hash: [UInt8], known: Int) throws(ServerFault) {
        guard known > 0 else { return }
        try store.clearFailures(hash, known: known)
        setPending(hash, 0)
    }

    /// Notes, durably, that a registration has logged in; costs nothing after the first time.
    ///
    /// - Returns: false when it was revoked meanwhile.
    func confirm(_ registration: Registration, _ hash: [UInt8], now: Int64) throws(ServerFault) -> Bool {
        guard registration.confirmed == nil else { return true }
        return try store.confirm(hash, now: now)
    }

    private func pending(_ hash: [UInt8]) -> Int { unwritten.withLock { $0[hash] ?? 0 } }

    private func setPending(_ hash: [UInt8], _ count: Int) {
        unwritten.withLock { $0[hash] = count == 0 ? nil : count }
    }
}
