import Synchronization

/// How one pass 2 was judged.
enum LoginVerdict: Sendable, Equatable {
    /// The right PIN, after so many wrong ones since the last login.
    case right(user: String, wrongBefore: Int)
    /// The wrong PIN; so many tries are left, none after the last.
    case wrong(attemptsLeft: Int)
    /// Not known here.
    case stranger
    /// Not judged, because there were no tries left.
    case blocked
    /// Not judged, because the registration is revoked.
    case revoked

    /// How many wrong PINs there were since the last login; nil unless this is one.
    var wrongBefore: Int? { if case .right(_, let count) = self { count } else { nil } }
}

/// What a login is for.
enum LoginPurpose: Sendable {
    /// Whoever logs in wants to enter himself.
    case login
    /// Wants a one-time password, which are these six digits.
    case password([UInt8])
    /// Wants to let a waiting session in: its number, nil where the code led to none when it was given.
    case session(Int?)
}

/// A pass 2 as it was judged.
struct LoginResult: Sendable {
    let verdict: LoginVerdict
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let purpose: LoginPurpose
}

/// The results of passes 2 that wait to be asked for, each under a handle of its own. Lives in memory.
final class LoginResults: Sendable {
    /// How long a result waits, in nanoseconds.
    static let lifetime: Int64 = 60_000_000_000

    private struct Entry {
        let login: LoginResult
        let expires: Int64
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var arrivals: [(handle: [UInt8], expires: Int64)] = []
        var firstArrival = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many may wait; a new one displaces the oldest.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Keeps a result under a handle.
    func add(_ login: LoginResult, handle: [UInt8], at now: Int64) {
        state.withLock { state in
            while state.firstArrival < state.arrivals.count {
                let (old, expires) = state.arrivals[state.firstArrival]
                guard expires <= now || state.entries.count >= limit else { break }
                state.entries[old] = nil
                state.firstArrival += 1
            }
            if state.firstArrival > 4_096, state.firstArrival * 2 > state.arrivals.count {
                state.arrivals.removeFirst(state.firstArrival)
                state.firstArrival = 0
            }
            let expires = now + Self.lifetime
            state.entries[handle] = Entry(login: login, expires: expires)
            state.arrivals.append((handle, expires))
        }
    }

    /// Takes a result: whoever comes second finds none.
    func take(_ handle: [UInt8], at now: Int64) -> LoginResult? {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: handle), entry.expires > now else { return nil }
            return entry.login
        }
    }
}
