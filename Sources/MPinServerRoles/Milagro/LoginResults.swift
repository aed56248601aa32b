// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
import Synchronization

/// What a login by two passes is for.
enum LoginPurpose: Sendable {
    /// The device itself logs in.
    case login
    /// The device requests a one-time password, with these six digits.
    case password([UInt8])
    /// The device approves a cross-device session, by its ID; nil if the code was invalid when it was presented.
    case session(Int?)
}

struct PassTwoResult: Sendable {
    let verdict: LoginVerdict
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let purpose: LoginPurpose
}

/// The results of passes 2 until their clients fetch them, each under a handle of its own. Kept in memory.
final class LoginResults: Sendable {
    /// How long a result is kept.
    static let lifetime = Duration.seconds(60)

    private let results: Mutex<ExpiringTable<[UInt8], PassTwoResult>>

    /// - Parameter limit: how many are kept. A new one displaces the oldest.
    init(limit: Int = 65_536) { results = Mutex(ExpiringTable(limit: limit)) }

    func add(_ login: PassTwoResult, handle: [UInt8], at now: Instant) {
        results.withLock { results in _ = results.insert(login, for: handle, until: now + Self.lifetime, at: now) }
    }

    /// Takes a result. A second request with the same handle finds none.
    func take(_ handle: [UInt8], at now: Instant) -> PassTwoResult? {
        results.withLock { results in
            defer { results.remove(handle) }
            return results.value(for: handle, at: now)
        }
    }
}
