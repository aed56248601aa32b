// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
import Synchronization

/// The results of passes 2 until their clients fetch them, each under a handle of its own. Kept in memory.
final class LoginResults: Sendable {
    /// How long a result is kept.
    static let lifetime = Duration.seconds(60)

    private let results: Mutex<ExpiringTable<[UInt8], PassTwoResult>>

    /// - Parameter limit: how many are kept. A new one displaces the oldest.
    init(limit: Int = 65_536) { results = Mutex(ExpiringTable(limit: limit)) }

    /// Stores a result under a handle.
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
