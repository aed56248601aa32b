// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import MPinWire
import Synchronization

/// The sessions that wait for a login. Kept in memory, so that a restart ends them.
///
/// A session gets only the first verified login, because each operation is completed under the same lock.
final class CrossDeviceSessions: Sendable {
    /// How long a code is not reused after its session has expired.
    private static let quarantine = Duration.seconds(60)

    private struct State {
        /// By ID, in the order in which they were opened. Kept until their codes may be reused.
        var sessions = ExpiringTable<Int, CrossDeviceSession>()
        var codes: [String: Int] = [:]
        var webOTTs: [[UInt8]: Int] = [:]
        var handles: [[UInt8]: Int] = [:]
        var nextID = 0
        /// How many sessions each network has, without those of known hosts.
        var counts: [String: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many there may be. The last tenth is reserved for known hosts.
    init(limit: Int = 16_384) { self.limit = limit }

    /// Whether there is room for one more. A network without a host's secret gets an eighth at most.
    func hasRoom(for requester: SessionRequester, at now: Instant) -> Bool {
        state.withLock { state in
            Self.sweep(&state, at: now)
            guard let network = Self.network(of: requester) else { return state.sessions.count < limit }
            return state.sessions.count < limit - limit / 10 && state.counts[network, default: 0] < limit / 8
        }
    }

    /// The network of a client that is no known host: of an IPv6 address the first 48 bits, because one holder may have
    /// all addresses of such a network.
    private static func network(of requester: SessionRequester) -> String? {
        guard !requester.isVerified else { return nil }
        let groups = (requester.address ?? "").split(separator: ":", maxSplits: 3)
        return groups.prefix(3).joined(separator: ":")
    }

    /// Adds a session.
    ///
    /// - Returns: false if its code is taken.
    func add(_ session: CrossDeviceSession, at now: Instant) -> Bool {
        state.withLock { state in
            Self.sweep(&state, at: now)
            guard state.codes[session.code] == nil, state.webOTTs[session.webOTT] == nil else { return false }
            let id = state.nextID
            state.nextID += 1
            state.sessions.insert(session, for: id, until: session.expires + Self.quarantine, at: now)
            state.codes[session.code] = id
            state.webOTTs[session.webOTT] = id
            if let network = Self.network(of: session.requester) { state.counts[network, default: 0] += 1 }
            return true
        }
    }

    /// The session with a code, and its ID; nil unless it still accepts a login.
    func open(_ code: String, at now: Instant) -> (id: Int, session: CrossDeviceSession)? {
        change(code, at: now) { _ in }
    }

    /// Records the progress that a device reports.
    ///
    /// - Returns: the session; nil for an invalid code.
    func note(_ code: String, user: String?, at now: Instant) -> CrossDeviceSession? {
        change(code, at: now) { session in
            if let user {
                session.progress = .user(user)
            } else if case .new = session.progress {
                session.progress = .entered
            }
        }?.session
    }

    /// Ends a session without a login.
    ///
    /// - Returns: false for an invalid code, and if the session no longer accepts a login.
    func deny(_ code: String, at now: Instant) -> Bool { change(code, at: now) { $0.progress = .denied } != nil }

    private func change(
        _ code: String, at now: Instant, _ body: (inout CrossDeviceSession) -> Void
    ) -> (id: Int, session: CrossDeviceSession)? {
        state.withLock { state in
            guard let id = state.codes[code], var session = state.sessions[id], session.isOpen(at: now) else {
                return nil
            }
            body(&session)
            state.sessions.replace(id, with: session)
            return (id, session)
        }
    }

    /// The progress for the waiting side; nil for an unknown handle.
    func progress(_ webOTT: [UInt8], at now: Instant) -> AccessPollResponse? {
        state.withLock { state in
            guard let id = state.webOTTs[webOTT], let session = state.sessions[id] else { return nil }
            let isOpen = session.isOpen(at: now)
            switch session.progress {
            case .approved(let approval) where now < approval.deadline:
                return .authenticated(HexText(bytes: approval.handle))
            case .new where isOpen: return .new
            case .entered where isOpen: return .entered
            case .user(let name) where isOpen: return .user(name)
            case .denied: return .denied
            case .new, .entered, .user, .approved, .over: return .expired
            }
        }
    }

    /// Gives a session a verified login.
    ///
    /// - Returns: false if it no longer accepts one, because it has expired or has got another one.
    func approve(_ id: Int, _ approval: Approval, at now: Instant) -> Bool {
        state.withLock { state in
            guard var session = state.sessions[id], session.isOpen(at: now) else { return false }
            session.progress = .approved(approval)
            state.sessions.replace(id, with: session)
            state.handles[approval.handle] = id
            return true
        }
    }

    /// Redeems a login, once.
    func redeem(_ handle: [UInt8], at now: Instant) -> (approval: Approval, requester: SessionRequester)? {
        state.withLock { state in
            // After the deadline, the device's request withdraws the login and is answered with 408.
            guard let id = state.handles[handle], case .approved(let approval)? = state.sessions[id]?.progress,
                now < approval.deadline
            else { return nil }
            return Self.end(handle, in: &state)
        }
    }

    /// Withdraws a login.
    ///
    /// - Returns: false if it was redeemed before.
    func withdraw(_ handle: [UInt8]) -> Bool { state.withLock { Self.end(handle, in: &$0) != nil } }

    private static func end(_ handle: [UInt8], in state: inout State) -> (
        approval: Approval, requester: SessionRequester
    )? {
        guard let id = state.handles.removeValue(forKey: handle), var session = state.sessions[id],
            case .approved(let approval) = session.progress
        else { return nil }
        session.progress = .over
        state.sessions.replace(id, with: session)
        return (approval, session.requester)
    }

    private static func sweep(_ state: inout State, at now: Instant) {
        for session in state.sessions.removeExpired(at: now).map(\.value) {
            state.codes[session.code] = nil
            state.webOTTs[session.webOTT] = nil
            if let network = network(of: session.requester), let count = state.counts[network] {
                state.counts[network] = count > 1 ? count - 1 : nil
            }
            if case .approved(let approval) = session.progress {
                state.handles[approval.handle] = nil
                approval.deferred.lapse()
            }
        }
    }
}
