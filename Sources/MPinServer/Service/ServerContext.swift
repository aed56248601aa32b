internal import Logging

/// What the services of a server share, as long as one configuration is in force.
struct ServerContext: Sendable {
    let store: Store
    let audit: Audit
    let clock: ServerClock
    let logger: Logger
    let configuration: ServerConfiguration
    /// The address that the world sees; empty where there is none. Never what a request calls the host.
    let publicURL: String
    let appID: String
    /// The lasting name of this server, 16 bytes.
    let serverID: [UInt8]
    let limits: RateLimits
}

/// A service that finds in its context what it shares with others.
protocol ContextService: Sendable {
    var context: ServerContext { get }
}

extension ContextService {
    var store: Store { context.store }
    var audit: Audit { context.audit }
    var clock: ServerClock { context.clock }
    var configuration: ServerConfiguration { context.configuration }
    var limits: RateLimits { context.limits }

    /// Counts an event of a source, and notes in the audit log that it was the last one the limit allows for now.
    func charge(_ limiter: RateLimiter, _ source: RequestSource, detail: String? = nil) {
        if limiter.charge(source, at: clock.monotonic()) {
            audit.note(.rateLimited, at: clock.now, user: nil, source: source, detail: detail)
        }
    }

    /// Refuses a source that has used up a rate limit.
    func demand(_ limiter: RateLimiter, _ source: RequestSource) throws {
        guard limiter.allows(source, at: clock.monotonic()) else { throw Refusal.rateLimited }
    }
}
