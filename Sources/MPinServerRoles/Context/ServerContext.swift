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
    /// The permanent name of this server.
    let serverID: [UInt8]
    /// The key with which it proves itself.
    let key: ServerSigningKey
    /// Its names in what devices sign: the hash of its key, and its permanent name, for which older devices sign.
    let names: [[UInt8]]
    let limits: RateLimits
    let metrics: ServerMetrics

    init(
        store: any ServerStorage, audit: Audit, clock: ServerClock, logger: Logger, configuration: RoleConfiguration,
        publicURL: String, appID: String, serverID: [UInt8], key: ServerSigningKey, limits: RateLimits,
        metrics: ServerMetrics
    ) {
        (self.store, self.audit, self.clock, self.logger) = (store, audit, clock, logger)
        (self.configuration, self.publicURL, self.appID) = (configuration, publicURL, appID)
        (self.serverID, self.key, self.limits, self.metrics) = (serverID, key, limits, metrics)
        names = serverID == key.hash ? [key.hash] : [key.hash, serverID]
    }
}
