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
    let metrics: ServerMetrics
}
