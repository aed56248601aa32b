import Synchronization

/// The verdict on one pass 2.
enum LoginVerdict: Sendable, Equatable {
    /// The right PIN, after so many wrong ones since the last login.
    case right(user: String, wrongBefore: Int)
    /// The wrong PIN; so many tries are left, none after the last.
    case wrong(attemptsLeft: Int)
    /// The identity is not registered.
    case unregistered
    /// Not verified: no tries were left.
    case blocked
    /// Not verified: the registration is revoked.
    case revoked

    /// How many wrong PINs there were since the last login; nil unless this is one.
    var wrongBefore: Int? { if case .right(_, let count) = self { count } else { nil } }
}

/// What a login is for.
enum LoginPurpose: Sendable {
    /// The device itself logs in.
    case login
    /// The device wants a one-time password, which are these six digits.
    case password([UInt8])
    /// The device approves a cross-device session: its number, nil where the code led to none when it was presented.
    case session(Int?)
}

/// A pass 2 and the verdict on it.
struct PassTwoResult: Sendable {
    let verdict: LoginVerdict
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let purpose: LoginPurpose
}

/// The results of passes 2 until their clients fetch them, each under a handle of its own. Lives in memory.
final class LoginResults: Sendable {
    /// How long a result is kept.
    static let lifetime = Duration.seconds(60)

    private let results: Mutex<ExpiringTable<[UInt8], PassTwoResult>>

    /// - Parameter limit: how many are kept; a new one displaces the oldest.
    init(limit: Int = 65_536) { results = Mutex(ExpiringTable(limit: limit)) }

    /// Keeps a result under a handle.
    func add(_ login: PassTwoResult, handle: [UInt8], at now: Instant) {
        results.withLock { results in
            _ = results.insert(login, for: handle, until: now + Self.lifetime, at: now)
        }
    }

    /// Takes a result. A second request with the same handle finds none.
    func take(_ handle: [UInt8], at now: Instant) -> PassTwoResult? {
        results.withLock { results in
            defer { results.remove(handle) }
            return results.value(for: handle, at: now)
        }
    }
}
