// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerStorage

/// What the services of a server share while one configuration applies.
///
/// A class, because each service refers to it, and a request would otherwise copy the configuration for each of them.
final class ServerContext: Sendable {
    let store: SQLiteStorage
    let audit: Audit
    let clock: ServerClock
    let logger: Logger
    let configuration: RoleConfiguration
    /// The public address; empty if there is none. Never the host that a request names.
    let publicURL: String
    /// The second authority's address. Clients append the kind of share to it.
    let authorityURL: String
    let appID: String
    /// The key with which the server proves itself. Its hash is the server's permanent ID.
    let key: ServerSigningKey
    let limits: RateLimits
    let metrics: ServerMetrics

    init(_ state: ServerState, _ configuration: RoleConfiguration) {
        (store, audit, clock, logger) = (state.store, state.audit, state.clock, state.logger)
        (appID, key, metrics) = (state.appID, state.key, state.metrics)
        self.configuration = configuration
        publicURL = configuration.publicURL ?? state.storedURL
        authorityURL = state.secondAuthorityURL ?? "\(publicURL)\(ServerEndpoint.clientSecretShare.parentPath)/"
        limits = state.rateLimits(configuration)
    }
}

/// A part of the server that uses the storage, clock, limits and audit log of its context.
protocol ServerComponent: Sendable { var context: ServerContext { get } }

extension ServerComponent {
    var store: SQLiteStorage { context.store }
    var audit: Audit { context.audit }
    var clock: ServerClock { context.clock }
    var configuration: RoleConfiguration { context.configuration }
    var limits: RateLimits { context.limits }

    /// Whether unsigned requests may use a registration. For them any other registration does not exist.
    func takesPasses(_ registration: RegistrationEntry) -> Bool {
        registration.deviceKey == nil && configuration.acceptsMilagro
    }

    /// Charges a source. Records in the audit log that the limit is used up, if that is the case now.
    func charge(_ limiter: RateLimiter, _ source: RequestSource, guessed: AuditAction.GuessedValue? = nil) {
        if limiter.charge(source, at: clock.monotonic()) {
            audit.note(.rateLimited(guessed: guessed), user: nil, source: source)
        }
    }

    /// Refuses a source that has used up a rate limit.
    func demand(_ limiter: RateLimiter, _ source: RequestSource) throws {
        guard limiter.allows(source, at: clock.monotonic()) else { throw Refusal.rateLimited(source) }
    }
}
