// What only a server needs stands in no module.
#if !hasFeature(Embedded)
internal import CMPinSystem
internal import Pairing

/// The points of identities that were checked lately, so that those of the same person are not calculated for each login:
/// A + AT for a day, A without one.
///
/// Only values that everybody can calculate from an M-Pin ID and a day are kept, in a table with one place for each value of
/// some bits of the hash; who comes later takes the place. A check takes less time for an identity that is kept, which tells
/// nothing but that it was checked before.
final class KnownIdentities: @unchecked Sendable {
    private struct Entry {
        let hash: [UInt8]
        let day: PermitDay?
        let point: G1
    }

    /// How many places there are, of some 200 bytes each: a power of two.
    static let capacity = 4096

    private let mutex: UnsafeMutablePointer<mpin_mutex>
    /// To be touched under the mutex only.
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

    /// A + AT, or A for no day.
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

    /// How many points are kept.
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
#endif
