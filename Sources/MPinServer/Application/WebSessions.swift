internal import MPinCrypto
import Synchronization

/// The sessions of browsers that somebody has logged in. Live in memory: a restart ends them.
///
/// Each has two secrets: the browser's, which is its cookie, and the device's, which can only end it. Both are kept as
/// their hashes.
final class WebSessions: Sendable {
    private struct Session {
        let user: String
        /// SHA-256 of the M-Pin ID that logged in.
        let registration: [UInt8]
        let logoutHash: [UInt8]
        let ends: Int64
        var lastUse: Int64
    }

    /// What came of a device's wish to end a session.
    enum Ending: Sendable {
        case ended
        case anotherUsers
        case noSuchSession
    }

    private struct State {
        var sessions: [[UInt8]: Session] = [:]
        /// From the hash of a device's secret to that of the browser's.
        var logouts: [[UInt8]: [UInt8]] = [:]
    }

    private let idle: Int64
    private let life: Int64
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - idleSeconds: after so many seconds without a request a session ends.
    ///   - seconds: after so many it ends in any case.
    ///   - limit: how many there may be; a new one displaces the one that was idle longest.
    init(idleSeconds: Int, seconds: Int, limit: Int = 65_536) {
        idle = Int64(idleSeconds) * 1_000_000_000
        life = Int64(seconds) * 1_000_000_000
        self.limit = limit
    }

    /// Opens a session.
    ///
    /// - Returns: the browser's secret and the device's, 16 random bytes each.
    func open(user: String, registration: [UInt8], at now: Int64) throws -> (token: [UInt8], logout: [UInt8]) {
        let token = try Random.bytes(16)
        let logout = try Random.bytes(16)
        let (hash, logoutHash) = (try Hash.sha256(token), try Hash.sha256(logout))
        state.withLock { state in
            if state.sessions.count >= limit { makeRoom(&state, at: now) }
            state.sessions[hash] = Session(
                user: user, registration: registration, logoutHash: logoutHash, ends: now + life, lastUse: now)
            state.logouts[logoutHash] = hash
        }
        return (token, logout)
    }

    /// Whose session a browser's secret opens, and with which registration it was opened. Counts as use.
    func user(_ token: [UInt8], at now: Int64) throws -> (user: String, registration: [UInt8])? {
        let hash = try Hash.sha256(token)
        return state.withLock { state in
            guard var session = state.sessions[hash] else { return nil }
            guard isAlive(session, at: now) else {
                Self.remove(hash, from: &state)
                return nil
            }
            session.lastUse = now
            state.sessions[hash] = session
            return (session.user, session.registration)
        }
    }

    /// Ends a session for the browser.
    ///
    /// - Returns: whose it was; nil when there was none.
    func end(_ token: [UInt8], at now: Int64) throws -> String? {
        let hash = try Hash.sha256(token)
        return state.withLock { state in
            guard let session = Self.remove(hash, from: &state) else { return nil }
            return isAlive(session, at: now) ? session.user : nil
        }
    }

    /// Ends a session for the device that opened it.
    func end(logout: [UInt8], user: String, at now: Int64) throws -> Ending {
        let logoutHash = try Hash.sha256(logout)
        return state.withLock { state in
            guard let hash = state.logouts[logoutHash], let session = state.sessions[hash], isAlive(session, at: now)
            else { return .noSuchSession }
            guard session.user.utf8.elementsEqual(user.utf8) else { return .anotherUsers }
            Self.remove(hash, from: &state)
            return .ended
        }
    }

    private func isAlive(_ session: Session, at now: Int64) -> Bool {
        now < session.ends && now < session.lastUse + idle
    }

    @discardableResult
    private static func remove(_ hash: [UInt8], from state: inout State) -> Session? {
        guard let session = state.sessions.removeValue(forKey: hash) else { return nil }
        state.logouts[session.logoutHash] = nil
        return session
    }

    private func makeRoom(_ state: inout State, at now: Int64) {
        for (hash, session) in state.sessions where !isAlive(session, at: now) { Self.remove(hash, from: &state) }
        guard state.sessions.count >= limit,
            let idlest = state.sessions.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        Self.remove(idlest.key, from: &state)
    }
}
