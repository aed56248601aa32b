// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire
import Synchronization

/// The sessions of browsers after a login. Kept in memory, so that a restart ends them.
///
/// Each has two secrets: the browser's, which is its cookie, and the device's, which can only end it. The server stores
/// only their hashes.
final class WebSessions: Sendable {
    private struct Session {
        let user: String
        /// SHA-256 of the M-Pin ID that logged in.
        let registration: [UInt8]
        let logoutHash: [UInt8]
        let opened: Timestamp
        let ends: Instant
    }

    /// The outcome of a device's request to end a session.
    enum Ending: Sendable {
        case ended
        case anotherUsers
        case noSuchSession
    }

    private struct State {
        /// By the hash of the browser's secret. Each is kept until it ends, or has been idle for too long.
        var sessions: ExpiringTable<[UInt8], Session>
        /// Maps the hash of a device's secret to the hash of the browser's.
        var logouts: [[UInt8]: [UInt8]] = [:]
    }

    private let idle: Duration
    private let lifetime: Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - idle: a session ends after this time without a request.
    ///   - lifetime: a session ends after this time in any case.
    ///   - limit: how many there may be. A new one displaces the one that has been idle longest.
    init(idle: Duration, lifetime: Duration, limit: Int = 65_536) {
        (self.idle, self.lifetime) = (idle, lifetime)
        state = Mutex(State(sessions: ExpiringTable(limit: limit)))
    }

    /// Opens a session.
    ///
    /// - Returns: the browser's secret and the device's secret, 16 random bytes each.
    func open(
        user: String, registration: [UInt8], at now: Instant, opened: Timestamp
    ) throws -> (token: [UInt8], logout: [UInt8]) {
        let token = try Random.bytes(16)
        let logout = try Random.bytes(16)
        let (hash, logoutHash) = (try Hash.sha256(token), try Hash.sha256(logout))
        let ends = now + lifetime
        let session = Session(
            user: user, registration: registration, logoutHash: logoutHash, opened: opened, ends: ends)
        state.withLock { state in
            let evicted = state.sessions.insert(session, for: hash, until: min(ends, now + idle), at: now)
            for session in evicted.map(\.value) { state.logouts[session.logoutHash] = nil }
            state.logouts[logoutHash] = hash
        }
        return (token, logout)
    }

    /// The user of a browser's secret, the registration that opened the session, and the time. Counts as use of the
    /// session.
    func user(_ token: [UInt8], at now: Instant) throws -> (user: String, registration: [UInt8], opened: Timestamp)? {
        let hash = try Hash.sha256(token)
        return state.withLock { state in
            guard let session = state.sessions.value(for: hash, at: now) else { return nil }
            state.sessions.renew(hash, until: min(session.ends, now + idle))
            return (session.user, session.registration, session.opened)
        }
    }

    /// Ends a session for the browser.
    func end(_ token: [UInt8], at now: Instant) throws -> String? {
        let hash = try Hash.sha256(token)
        return state.withLock { state in
            guard let session = state.sessions.value(for: hash, at: now) else { return nil }
            Self.remove(hash, from: &state)
            return session.user
        }
    }

    func end(logout: [UInt8], user: String, at now: Instant) throws -> Ending {
        let logoutHash = try Hash.sha256(logout)
        return state.withLock { state in
            guard let hash = state.logouts[logoutHash], let session = state.sessions.value(for: hash, at: now)
            else { return .noSuchSession }
            guard session.user.utf8.elementsEqual(user.utf8) else { return .anotherUsers }
            Self.remove(hash, from: &state)
            return .ended
        }
    }

    /// Ends sessions for their user.
    ///
    /// - Parameter registration: the hash of the M-Pin ID whose newest session is to end; nil for all of the user.
    func end(user: String, lastOf registration: [UInt8]?, at now: Instant) -> Int {
        state.withLock { state in
            state.sessions.removeExpired(at: now).map(\.value).forEach { state.logouts[$0.logoutHash] = nil }
            var found = state.sessions.all.filter { $0.value.user.utf8.elementsEqual(user.utf8) }
            if let registration {
                found = found.filter { $0.value.registration == registration }
                found = found.max { $0.value.ends < $1.value.ends }.map { [$0] } ?? []
            }
            for session in found { Self.remove(session.key, from: &state) }
            return found.count
        }
    }

    private static func remove(_ hash: [UInt8], from state: inout State) {
        guard let session = state.sessions.remove(hash) else { return }
        state.logouts[session.logoutHash] = nil
    }
}

extension Application {
    /// The user who is signed in with this browser, the device that signed in, and the time.
    func session(_ request: Request) throws -> UserAnswer {
        guard let token = cookie.token(in: request),
            let (user, registration, opened) = try webSessions.user(token, at: clock.monotonic())
        else { throw Refusal.notLoggedIn }
        guard let registration = try store.registration(registration), registration.revoked == nil else {
            _ = try webSessions.end(token, at: clock.monotonic())
            throw Refusal.notLoggedIn
        }
        return UserAnswer(userID: user, deviceName: registration.device, created: Int(opened.seconds))
    }

    /// Ends a session, for the device that opened it and names it, or for the browser that has its cookie.
    func logout(_ request: Request) throws -> Response {
        let named: LogoutRequest?
        do throws(WireError) { named = try LogoutRequest.decode(request.body.span) } catch {
            throw Refusal.badInput(error, status: 400)
        }
        let user: String
        var headers: [(name: String, value: String)] = []
        if let named {
            switch try webSessions.end(logout: named.sessionToken.bytes, user: named.userID, at: clock.monotonic()) {
            case .ended: user = named.userID
            case .anotherUsers: throw Refusal(400, "Another user's session")
            case .noSuchSession: throw Refusal.notLoggedIn
            }
        } else {
            guard origin.allowsChange(request) else { throw Refusal.otherOrigin }
            guard let token = cookie.token(in: request), let found = try webSessions.end(token, at: clock.monotonic())
            else { throw Refusal.notLoggedIn }
            user = found
            headers = [cookie.clearing(for: request)]
        }
        audit.addOwn(
            AuditEvent(.logout(fromDevice: nil), at: clock.now, user: user, source: request.source.text, actor: user),
            of: user)
        // The mobile web client of 2016 waits for an empty body.
        return .empty.adding(headers)
    }
}

struct SessionCookie: Sendable {
    /// Whether the server's public address is one of TLS. The server may be behind a proxy then.
    let isPublicTLS: Bool

    /// Whether the browser that sends a request reaches the server by TLS. Without TLS it would not return a secure
    /// cookie.
    private func isSecure(_ request: Request) -> Bool { isPublicTLS || request.isTLS }

    private func name(_ request: Request) -> String { isSecure(request) ? "__Host-mpin_session" : "mpin_session" }

    private func attributes(_ request: Request) -> String {
        "; Path=/; HttpOnly; SameSite=Strict" + (isSecure(request) ? "; Secure" : "")
    }

    func setting(_ token: [UInt8], for request: Request) -> (name: String, value: String) {
        ("Set-Cookie", "\(name(request))=\(HexText(bytes: token).string)\(attributes(request))")
    }

    func clearing(for request: Request) -> (name: String, value: String) {
        ("Set-Cookie", "\(name(request))=; Max-Age=0\(attributes(request))")
    }

    /// The secret in a request; nil if there is none, or more than one.
    func token(in request: Request) -> [UInt8]? {
        guard let header = request.header("cookie") else { return nil }
        let start = name(request) + "="
        let values = header.split(separator: ";").compactMap { part -> Substring? in
            let trimmed = part.drop { $0 == " " }
            guard trimmed.hasPrefix(start) else { return nil }
            return trimmed.dropFirst(start.utf8.count)
        }
        guard values.count == 1, let value = values.first, value.utf8.count == 2 * OneTimeToken.size else { return nil }
        return Hex.decode(Array(value.utf8).span)
    }
}
