// What only a server needs stands in no module.
#if !hasFeature(Embedded)
internal import Pairing
internal import Synchronization

/// The points of identities that were checked lately, so that those of the same person are not calculated for each login:
/// A + AT for a day, A without one.
///
/// Only values that everybody can calculate from an M-Pin ID and a day are kept. At most two generations of them: when the
/// younger one is full, the older one is forgotten, and with it the days that are over. A check takes less time for an
/// identity that is kept, which tells nothing but that it was checked before.
final class KnownIdentities: Sendable {
    fileprivate struct Key: Hashable {
        let hash: [UInt8]
        /// 0 without a day, which no day is.
        let day: Int
    }

    fileprivate struct Generations: Sendable {
        var younger: [Key: G1] = [:]
        var older: [Key: G1] = [:]
    }

    /// How many identities a generation may have: some 300 bytes each.
    static let capacity = 2048

    private let generations = Mutex(Generations())

    /// A + AT, or A for no day.
    func base(of identity: Identity, on day: PermitDay?) throws(CryptoError) -> G1 {
        let key = Key(hash: identity.hash, day: day?.number ?? 0)
        let known = generations.withLock { kept in kept.younger[key] ?? kept.older[key].map { kept.keep($0, for: key) }
        }
        if let known { return known }
        // Two threads may both calculate the same point, which is cheaper than one waiting for the other.
        let point = try identity.base(on: day)
        generations.withLock { kept in _ = kept.keep(point, for: key) }
        return point
    }

    /// How many points are kept.
    var count: Int { generations.withLock { kept in kept.younger.count + kept.older.count } }
}

extension KnownIdentities.Generations {
    fileprivate mutating func keep(_ point: G1, for key: KnownIdentities.Key) -> G1 {
        if younger.count >= KnownIdentities.capacity {
            older = younger
            younger = [:]
        }
        younger[key] = point
        return point
    }
}
#endif
