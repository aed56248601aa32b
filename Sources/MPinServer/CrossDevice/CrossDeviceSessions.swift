internal import MPinWire
import Synchronization

/// The sessions that wait for a login. Live in memory: a restart forgets them.
///
/// A login reaches a session only after it was verified, and only the first one does; each decision is made under one
/// lock.
final class CrossDeviceSessions: Sendable {
    /// How long a code is not issued again after its session has expired.
    private static let quarantine = Duration.seconds(60)

    private struct State {
        /// By number, in the order of their arrival, until their codes may be issued again.
        var sessions = ExpiringTable<Int, CrossDeviceSession>()
        var codes: [String: Int] = [:]
        var webOTTs: [[UInt8]: Int] = [:]
        var handles: [[UInt8]: Int] = [:]
        var nextNumber = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many there may be; the last tenth is for hosts that the server knows.
    init(limit: Int = 16_384) { self.limit = limit }

    /// Whether there is room for one more.
    func hasRoom(isVerified: Bool, at now: Instant) -> Bool {
        state.withLock { state in
            Self.sweep(&state, at: now)
            return state.sessions.count < (isVerified ? limit : limit - limit / 10)
        }
    }

    /// Adds a session.
    ///
    /// - Returns: false when its code is taken.
    func add(_ session: CrossDeviceSession, at now: Instant) -> Bool {
        state.withLock { state in
            Self.sweep(&state, at: now)
            guard state.codes[session.code] == nil, state.webOTTs[session.webOTT] == nil else { return false }
            let number = state.nextNumber
            state.nextNumber += 1
            state.sessions.insert(session, for: number, until: session.expires + Self.quarantine, at: now)
            state.codes[session.code] = number
            state.webOTTs[session.webOTT] = number
            return true
        }
    }

    /// The number of the session that a code leads to; nil for none that a login can still reach.
    func number(of code: String, at now: Instant) -> Int? {
        state.withLock { state in
            guard let number = state.codes[code], state.sessions[number]?.isOpen(at: now) == true else { return nil }
            return number
        }
    }

    /// Notes how far a device says it is.
    ///
    /// - Parameter user: who is about to log in; nil while only the code was read.
    /// - Returns: who asks; nil for a code that leads nowhere.
    func note(_ code: String, user: String?, at now: Instant) -> SessionRequester? {
        state.withLock { state in
            guard let number = state.codes[code], var session = state.sessions[number], session.isOpen(at: now) else {
                return nil
            }
            if let user {
                session.progress = .user(user)
            } else if case .new = session.progress {
                session.progress = .entered
            }
            state.sessions.replace(number, with: session)
            return session.requester
        }
    }

    /// The progress for the waiting side; nil for an unknown handle.
    func progress(_ webOTT: [UInt8], at now: Instant) -> AccessPollResponse? {
        state.withLock { state in
            guard let number = state.webOTTs[webOTT], let session = state.sessions[number] else { return nil }
            switch session.progress {
            case .approved(let approval):
                return now < approval.deadline ? .authenticated(HexText(bytes: approval.handle)) : .expired
            case .new: return session.isOpen(at: now) ? .new : .expired
            case .entered: return session.isOpen(at: now) ? .entered : .expired
            case .user(let name): return session.isOpen(at: now) ? .user(name) : .expired
            case .over: return .expired
            }
        }
    }

    /// Brings a verified login to a session.
    ///
    /// - Returns: false when no login can reach it any more, because it has lapsed or another was first.
    func approve(_ number: Int, _ approval: Approval, at now: Instant) -> Bool {
        state.withLock { state in
            guard var session = state.sessions[number], session.isOpen(at: now) else { return false }
            session.progress = .approved(approval)
            state.sessions.replace(number, with: session)
            state.handles[approval.handle] = number
            return true
        }
    }

    /// Takes a login up, once.
    func redeem(_ handle: [UInt8], at now: Instant) -> (approval: Approval, requester: SessionRequester)? {
        state.withLock { state in
            // One that is too late is left to the device's request, which then says so.
            guard let number = state.handles[handle], case .approved(let approval)? = state.sessions[number]?.progress,
                now < approval.deadline
            else { return nil }
            return Self.end(handle, in: &state)
        }
    }

    /// Takes a login back.
    ///
    /// - Returns: false when it was taken up before.
    func withdraw(_ handle: [UInt8]) -> Bool {
        state.withLock { Self.end(handle, in: &$0) != nil }
    }

    private static func end(_ handle: [UInt8], in state: inout State) -> (
        approval: Approval, requester: SessionRequester
    )? {
        guard let number = state.handles.removeValue(forKey: handle), var session = state.sessions[number],
            case .approved(let approval) = session.progress
        else { return nil }
        session.progress = .over
        state.sessions.replace(number, with: session)
        return (approval, session.requester)
    }

    private static func sweep(_ state: inout State, at now: Instant) {
        for session in state.sessions.removeExpired(at: now).map(\.value) {
            state.codes[session.code] = nil
            state.webOTTs[session.webOTT] = nil
            if case .approved(let approval) = session.progress {
                state.handles[approval.handle] = nil
                approval.deferred.settle(.refusal(.timedOut))
            }
        }
    }
}
