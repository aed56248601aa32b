import Synchronization

/// What a server has done since its start, in numbers. Holds nothing of anybody: neither users nor M-Pin IDs.
final class ServerMetrics: Sendable {
    /// What became of a pass 2 or a direct login.
    enum Login: String, CaseIterable, Sendable {
        case right, wrong
        /// Nothing was verified: unknown, blocked or revoked, or no attempt could be reserved.
        case refused
    }

    enum Registration: String, CaseIterable, Sendable {
        case begun
        /// The first share was fetched.
        case enrolled
        case refused
    }

    /// Requests that were answered alike.
    struct RequestKind: Hashable, Sendable {
        let requestClass: RequestClass
        let status: Int
    }

    struct Counts: Sendable {
        var logins: [Login: Int] = [:]
        var registrations: [Registration: Int] = [:]
        var requests: [RequestKind: Int] = [:]
    }

    private let state = Mutex(Counts())
    /// How long the commits of the database take.
    let commits = Histogram()

    var counts: Counts { state.withLock { $0 } }

    func count(_ login: Login) { state.withLock { $0.logins[login, default: 0] += 1 } }

    func count(_ registration: Registration) { state.withLock { $0.registrations[registration, default: 0] += 1 } }

    func count(_ requestClass: RequestClass, status: Int) {
        state.withLock { $0.requests[RequestKind(requestClass: requestClass, status: status), default: 0] += 1 }
    }
}
