internal import MPinCrypto
internal import MPinServerStorage
import Synchronization

/// The valid one-time passwords, at most one for each user. Kept in memory.
///
/// A password gets here only after its login was verified; the digits of any other login are known nowhere.
final class OneTimePasswords: Sendable {
    /// How many wrong passwords a source may try against a right one. They end it for that source alone: otherwise any
    /// client could end any user's password.
    static let tries = 5
    /// How many wrong ones end it for all sources: so one in ten thousand is guessed.
    static let triesInAll = 100

    private struct Entry {
        let digits: [UInt8]
        let registration: [UInt8]
        /// Wrong ones of each source.
        var wrong: [RequestSource: Int] = [:]
        var wrongInAll = 0
    }

    private let limit: Int
    private let lifetime: Duration
    /// By the bytes of the user ID.
    private let entries = Mutex(ExpiringTable<[UInt8], Entry>())

    /// - Parameters:
    ///   - lifetime: how long one is good.
    ///   - limit: how many there may be at once; beyond that none is issued.
    init(lifetime: Duration, limit: Int = 65_536) {
        self.lifetime = lifetime
        self.limit = limit
    }

    /// Makes a password good, in place of an older one of the user.
    ///
    /// - Returns: false when there are too many.
    func add(_ digits: [UInt8], user: String, registration: [UInt8], at now: Instant) -> Bool {
        entries.withLock { entries in
            entries.removeExpired(at: now)
            let key = Array(user.utf8)
            guard entries.count < limit || entries[key] != nil else { return false }
            let entry = Entry(digits: digits, registration: registration)
            entries.insert(entry, for: key, until: now + lifetime, at: now)
            return true
        }
    }

    /// Uses a user's password up.
    ///
    /// - Returns: the SHA-256 of the M-Pin ID that got it; nil for a wrong one, of which only so many are allowed.
    func redeem(_ digits: [UInt8]?, user: String, source: RequestSource, at now: Instant) -> [UInt8]? {
        entries.withLock { entries in
            let key = Array(user.utf8)
            guard var entry = entries.value(for: key, at: now) else { return nil }
            guard entry.wrong[source, default: 0] < Self.tries else { return nil }
            if let digits, Hash.equal(digits, entry.digits) {
                entries.remove(key)
                return entry.registration
            }
            entry.wrong[source, default: 0] += 1
            entry.wrongInAll += 1
            if entry.wrongInAll < Self.triesInAll { entries.replace(key, with: entry) } else { entries.remove(key) }
            return nil
        }
    }
}
