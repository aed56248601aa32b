// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage
import Synchronization

/// Numbers about the server since its start. They contain nothing about users or M-Pin IDs.
package final class ServerMetrics: Sendable {
    /// The outcome of a pass 2 or a direct login.
    package enum Login: String, CaseIterable, Sendable {
        case right, wrong
        /// Nothing was verified: unknown, blocked or revoked, or no attempt could be reserved.
        case refused
    }

    package enum Registration: String, CaseIterable, Sendable {
        case begun
        /// The first share was fetched.
        case enrolled
        case refused
    }

    package struct RequestKind: Hashable, Sendable {
        package let requestClass: RequestClass
        package let status: Int
    }

    package struct Counts: Sendable {
        package var logins: [Login: Int] = [:]
        package var registrations: [Registration: Int] = [:]
        package var requests: [RequestKind: Int] = [:]
        /// When the last backup was made; nil if none was.
        package var lastBackup: Timestamp?
    }

    private let state = Mutex(Counts())
    package let commits = Histogram()

    package init() {}

    package var counts: Counts { state.withLock { $0 } }

    package func count(_ login: Login) { state.withLock { $0.logins[login, default: 0] += 1 } }

    package func count(_ registration: Registration) {
        state.withLock { $0.registrations[registration, default: 0] += 1 }
    }

    package func noteBackup(_ time: Timestamp?) { state.withLock { $0.lastBackup = time } }

    package func count(_ requestClass: RequestClass, status: Int) {
        state.withLock { $0.requests[RequestKind(requestClass: requestClass, status: status), default: 0] += 1 }
    }
}

package final class Histogram: Sendable {
    package struct Counts: Sendable {
        /// For each of ``Histogram/bounds``, the number of durations up to it and above the previous bound.
        package var buckets = [Int](repeating: 0, count: Histogram.bounds.count)
        package var count = 0
        package var seconds = 0.0
    }

    /// In seconds: from the time of a disk with a battery to an unacceptable time.
    package static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    private let state = Mutex(Counts())

    init() {}

    package func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        state.withLock { counts in
            counts.count += 1
            counts.seconds += seconds
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts.buckets[bucket] += 1 }
        }
    }

    package var counts: Counts { state.withLock { $0 } }
}
