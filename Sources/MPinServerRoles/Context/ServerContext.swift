// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// What the services of a server share while one configuration applies.
///
/// A class, because each service refers to it, and a request would otherwise copy the configuration for each of them.
final class ServerContext: Sendable {
    let store: ServerStorage
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
    var store: ServerStorage { context.store }
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

/// The answers to devices, which the server proves with its key.
extension ServerContext {
    /// Answers a request of a known form with a proof, whatever the answer is: refusals and failures, too, because a
    /// device believes no other answer.
    ///
    /// - Parameter request: the 32 bytes that identify the request.
    func proven(_ kind: ServerStatement.Kind, to request: [UInt8], _ work: () throws -> RouteResult) -> RouteResult {
        let result: RouteResult
        do { result = try work() } catch { result = .now(.refusal(.of(error, logger))) }
        return result.map { [self] response in
            do throws(CryptoError) { return try response.proven(kind, for: request, by: key) } catch {
                logger.error("cannot sign an answer", metadata: ["reason": "\(error)"])
                return .refusal(.failure)
            }
        }
    }
}

extension Response {
    /// This response with the server's proof at its end.
    ///
    /// - Parameter request: the 32 bytes that identify the request.
    /// - Throws: ``CryptoError/invalidMessage`` if the body is not an object with members.
    fileprivate func proven(
        _ kind: ServerStatement.Kind, for request: [UInt8], by key: ServerSigningKey
    ) throws(CryptoError) -> Response {
        let bytes = content.bytes
        guard let count = AnswerProof.signedCount(of: bytes.span) else { throw .invalidMessage }
        let digest = try ServerStatement.answer(
            kind, keyHash: key.hash, request: request, status: status, body: bytes.span.extracting(0..<count))
        let tail = AnswerProof.tail(try key.sign(digest))
        return replacing(content.replacing(from: count, by: tail))
    }
}
