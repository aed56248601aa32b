// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
import Synchronization

/// The valid one-time passwords, at most one for each user. Kept in memory.
///
/// A password is added only after its login was verified. The digits of other logins are not stored anywhere.
final class OneTimePasswords: Sendable {
    /// How many wrong passwords a source may try. Further ones end the password for that source alone, because
    /// otherwise any client could end any user's password.
    static let tries = 5
    /// How many wrong passwords end it for all sources, which limits guessing to one in ten thousand.
    static let triesInAll = 100

    private struct Entry {
        let digits: [UInt8]
        let registration: [UInt8]
        /// The wrong passwords of each source.
        var wrong: [RequestSource: Int] = [:]
        var wrongInAll = 0
    }

    private let limit: Int
    private let lifetime: Duration
    /// By the bytes of the user ID.
    private let entries = Mutex(ExpiringTable<[UInt8], Entry>())

    /// - Parameters:
    ///   - lifetime: how long a password is valid.
    ///   - limit: how many there may be at the same time. No further ones are issued.
    init(lifetime: Duration, limit: Int = 65_536) {
        self.lifetime = lifetime
        self.limit = limit
    }

    /// Makes a password valid. It replaces an older one of the user.
    ///
    /// - Returns: false if there are too many.
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

    /// Consumes a user's password.
    ///
    /// - Returns: the SHA-256 of the M-Pin ID that got it; nil for a wrong password, of which there may be only so
    ///   many.
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
