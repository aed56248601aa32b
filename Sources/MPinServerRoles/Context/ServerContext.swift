internal import Logging
internal import MPinServerStorage

/// What the services of a server share, as long as one configuration is in force.
///
/// A class: each service refers to it, and a request would else copy the configuration once for each of them.
final class ServerContext: Sendable {
    let store: any ServerStorage
    let audit: Audit
    let clock: ServerClock
    let logger: Logger
    let configuration: RoleConfiguration
    /// The address that the world sees; empty where there is none. Never what a request calls the host.
    let publicURL: String
    let appID: String
    /// The lasting name of this server, 16 bytes.
    let serverID: [UInt8]
    let limits: RateLimits
    let metrics: ServerMetrics

    init(
        store: any ServerStorage, audit: Audit, clock: ServerClock, logger: Logger, configuration: RoleConfiguration,
        publicURL: String, appID: String, serverID: [UInt8], limits: RateLimits, metrics: ServerMetrics
    ) {
        (self.store, self.audit, self.clock, self.logger) = (store, audit, clock, logger)
        (self.configuration, self.publicURL, self.appID) = (configuration, publicURL, appID)
        (self.serverID, self.limits, self.metrics) = (serverID, limits, metrics)
    }
}
