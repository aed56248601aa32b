// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import MPinCrypto
package import MPinServerStorage
internal import MPinWire
import Synchronization

/// The state that survives a reload of the configuration: the keys, the counters, and the logins in progress.
package final class ServerState: Sendable {
    let vault: Vault
    var store: ServerStorage { vault.store }
    let audit: Audit
    let clock: ServerClock
    let logger: Logger
    let appID: String
    /// The key with which it proves itself.
    package let key: ServerSigningKey
    /// Limits that no setting changes; see ``RateLimits``.
    let registrationsOfUser = CommonLimit(each: (100, .seconds(60)), all: (5_000, .seconds(1)))
    let changes = CommonLimit(each: (60, .seconds(300)), all: (5_000, .seconds(1)))
    let certificates = CommonLimit(each: (30, .seconds(10)), all: (5_000, .seconds(1)))
    /// The public address that was set at initialization; empty if there is none.
    let storedURL: String
    let first: Authority
    /// Nil if it is on another host.
    let second: Authority?
    /// Where clients ask the second authority; nil if it is here.
    let secondAuthorityURL: String?
    /// The keys that sign the questions to both.
    let questionKeys: QuestionKeys
    let metrics: ServerMetrics
    let pendingLogins = PendingLogins()
    let results = LoginResults()
    let sessions = CrossDeviceSessions()
    let webSessions: WebSessions
    let passwords: OneTimePasswords
    let attemptCounter: AttemptCounter
    let loginVerifier: LoginVerifier
    let signatures: DeviceSignatures
    /// Whether no secret of the server can be written to swap.
    package let areSecretsLocked: Bool
    private let limits = Mutex<RateLimits?>(nil)

    package init(
        _ vault: Vault, configuration: RoleConfiguration, audit: Audit, clock: ServerClock, logger: Logger,
        metrics: ServerMetrics
    ) throws(ServerError) {
        let (store, root) = (vault.store, vault.root)
        let identity = try store.identity()
        appID = identity.appID
        (self.vault, self.audit, self.metrics) = (vault, audit, metrics)
        (self.clock, self.logger) = (clock, logger)
        key = try vault.serverKey()
        storedURL = identity.publicURL ?? ""
        let elsewhere = try SecondAuthority(vault)
        try elsewhere?.prepare(vault, certificateFile: configuration.secondAuthorityFile, clock: clock)
        secondAuthorityURL = elsewhere?.clientURL
        questionKeys = try QuestionKeys(root, elsewhere)
        first = try Self.authority(1, appID: appID, questionKeys, vault)
        second = elsewhere == nil ? try Self.authority(2, appID: appID, questionKeys, vault) : nil
        webSessions = WebSessions(
            idle: .seconds(configuration.sessionIdleSeconds), lifetime: .seconds(configuration.sessionSeconds))
        passwords = OneTimePasswords(lifetime: .seconds(configuration.passwordSeconds))
        attemptCounter = try AttemptCounter(
            store: store, limits: configuration.attemptLimits, logger: logger)
        let verifier: Verifier
        do {
            signatures = try DeviceSignatures()
            let half: SecretBytes
            if let second {
                half = try second.serverShare()
            } else if let elsewhere {
                half = try elsewhere.serverShare(vault)
            } else {
                throw ServerError.incompleteDatabase
            }
            verifier = try Verifier(serverSecret: Shares.recombineServer(first.serverShare(), half))
        } catch {
            throw error as? ServerError ?? ServerError(.internalFault, "cannot compute the server secret: \(error)")
        }
        areSecretsLocked =
            first.isLocked && (second?.isLocked ?? true) && root.isLocked && key.isLocked && verifier.isLocked
        loginVerifier = LoginVerifier(
            verifier: verifier, attemptCounter: attemptCounter, audit: audit, metrics: metrics)
    }

    /// The routes for a configuration.
    ///
    /// - Throws: ``ServerError`` if it cannot be used.
    package func routes(_ configuration: RoleConfiguration) throws(ServerError) -> Routes {
        Routes(try Services(self, configuration))
    }

    package func adopt(_ limits: AttemptLimits) { attemptCounter.adopt(limits) }

    /// The rate limits. They are kept as long as their size does not change, so that a reload resets none.
    func rateLimits(_ configuration: RoleConfiguration) -> RateLimits {
        limits.withLock { limits in
            if let limits, limits.capacity == configuration.failuresPerSource,
                limits.seconds == configuration.failureRefillSeconds
            {
                return limits
            }
            let new = RateLimits(self, configuration)
            limits = new
            return new
        }
    }

    private static func authority(
        _ number: Int, appID: String, _ keys: QuestionKeys, _ vault: Vault
    ) throws(ServerError) -> Authority {
        Authority(
            try vault.masterShare(number), appID: appID, clientSecretKey: keys.clientSecret,
            timePermitKey: keys.timePermit)
    }
}
