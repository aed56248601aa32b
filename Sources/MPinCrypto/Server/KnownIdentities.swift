// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// A cache of the points of recently checked identities, so that they are not calculated for each login: A + AT for a
/// day, A without one.
///
/// It contains only values that can be calculated from an M-Pin ID and a day. The table has one slot for each value of
/// some bits of the hash, and a new entry replaces the old one. A check takes less time for a cached identity, which
/// reveals only that the identity was checked before.
@safe final class KnownIdentities: @unchecked Sendable {
    private struct Entry {
        let hash: [UInt8]
        let day: PermitDay?
        let point: G1
    }

    /// The number of slots, a power of two; each takes about 200 bytes.
    static let capacity = 4096

    private let mutex: UnsafeMutablePointer<mpin_mutex>
    /// Access only under the mutex.
    private var entries = [Entry?](repeating: nil, count: KnownIdentities.capacity)

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: mpin_mutex())
        unsafe mpin_mutex_init(mutex)
    }

    deinit {
        unsafe mpin_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// A + AT, or A without a day.
    func base(of identity: Identity, on day: PermitDay?) throws(CryptoError) -> G1 {
        let place = KnownIdentities.place(of: identity.hash, day)
        if let entry = withLock({ entries in entries[place] }), entry.hash == identity.hash, entry.day == day {
            return entry.point
        }
        // Two threads may both calculate the same point, which is cheaper than one waiting for the other.
        let entry = Entry(hash: identity.hash, day: day, point: try identity.base(on: day))
        withLock { entries in entries[place] = entry }
        return entry.point
    }

    /// The number of cached points.
    var count: Int { withLock { entries in entries.count { $0 != nil } } }

    private static func place(of hash: [UInt8], _ day: PermitDay?) -> Int {
        var place = 0
        for byte in hash.prefix(2) { place = place << 8 | Int(byte) }
        return (place ^ (day?.number ?? 0)) & (capacity - 1)
    }

    private func withLock<R>(_ body: (inout [Entry?]) -> R) -> R {
        unsafe mpin_mutex_lock(mutex)
        defer { unsafe mpin_mutex_unlock(mutex) }
        return body(&entries)
    }
}
