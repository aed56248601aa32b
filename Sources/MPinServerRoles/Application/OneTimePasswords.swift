// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire
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

    /// - Parameter limit: how many there may be at the same time. No further ones are issued.
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

/// One-time passwords: a device gets one with its login, and its user types it elsewhere.
extension Application {
    /// Makes the digits of a verified login valid.
    ///
    /// - Returns: for how long; nil if there are too many passwords.
    func issue(_ digits: [UInt8], to login: VerifiedLogin) -> OneTimePasswordTimes? {
        let isAdded = passwords.add(digits, user: login.user, registration: login.registration, at: clock.monotonic())
        guard isAdded else { return nil }
        let now = clock.now
        let seconds = configuration.passwordSeconds
        audit.addOwn(login.event(.passwordIssued, at: now), of: login.user)
        return OneTimePasswordTimes(
            expireMilliseconds: Int(now.adding(seconds: Int64(seconds)).milliseconds), ttlSeconds: seconds,
            nowMilliseconds: Int(now.milliseconds))
    }

    /// Consumes a one-time password. The answer does not show why one is refused.
    func redeem(_ message: OneTimePasswordRequest, _ request: Request) throws -> UserAnswer {
        let (user, source) = (message.userID, request.source)
        let guesser = try guesser(of: message, request)
        try demand(limits.passwords, guesser)
        guard let registration = passwords.redeem(message.password, user: user, source: guesser, at: clock.monotonic())
        else {
            audit.note(.refused(.oneTimePassword), user: UserName.isValid(user) ? user : nil, source: source)
            if limits.passwords.charge(guesser, at: clock.monotonic()) {
                audit.note(.rateLimited(guessed: .oneTimePassword), user: nil, source: source)
            }
            throw Refusal(401, "Wrong or expired one-time password")
        }
        do { try good(registration, user: user, source: source) } catch is Refusal {
            throw Refusal(401, "Wrong or expired one-time password")
        }
        audit.addOwn(
            AuditEvent(.login(.oneTimePassword), at: clock.now, user: user, source: source.text, actor: user), of: user)
        return UserAnswer(userID: user)
    }

    /// The source to which a wrong password is charged: the source of the request, or the user if a known host asks.
    /// All users of a gateway come from one source, and one of them must not use up the tries of the others.
    private func guesser(of message: OneTimePasswordRequest, _ request: Request) throws -> RequestSource {
        guard let host = try crossDevice.host(request), UserName.isValid(message.userID) else { return request.source }
        return .password(host: host, user: message.userID)
    }
}
