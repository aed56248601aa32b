// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerStorage

/// What the services of a server share while one configuration applies.
///
/// A class, because each service refers to it, and a request would otherwise copy the configuration for each of them.
final class ServerContext: Sendable {
    let store: any ServerStorage
    let audit: Audit
    let clock: ServerClock
    let logger: Logger
    let configuration: RoleConfiguration
    /// The public address; empty if there is none. Never the host that a request names.
    let publicURL: String
    let appID: String
    /// The permanent name of this server, 16 bytes.
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
