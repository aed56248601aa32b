// SPDX-License-Identifier: Apache-2.0
package import Logging
internal import MPinCrypto
package import MPinServerStorage
internal import MPinWire
import Synchronization

/// Answers the relying party's signed questions with shares of one master share.
///
/// A share for a token or for verifying logins is recorded in the audit log before it is sent, so that the log of this
/// host shows what a compromised relying party has asked for. A time permit is recorded soon afterwards, once for each
/// identity and day, because its question is valid for the whole day and could otherwise fill the log.
package final class AuthorityService: Sendable {
    private struct Permit: Hashable {
        let hash: [UInt8]
        let day: Int
    }

    private let authority: Authority
    private let relyingParty: RelyingPartyIdentity
    private let store: ServerStorage
    private let audit: Audit
    private let clock: ServerClock
    private let logger: Logger
    /// Limits the lines that copies of a question can cause, by the identity in it.
    private let shares = CommonLimit(each: (20, .seconds(60)), all: (5_000, .seconds(1)))
    /// The permits that are in the audit log already.
    private let permits = Mutex(ExpiringTable<Permit, Void>(limit: 65_536))

    /// - Throws: ``ServerError``, also if the directory belongs to a server of another role.
    package init(_ vault: Vault, audit: Audit, clock: ServerClock, logger: Logger) throws(ServerError) {
        guard try vault.store.role() == .authority, let share = ServerRole.authority.shares.first else {
            throw ServerError.incompleteDatabase
        }
        relyingParty = try RelyingPartyIdentity(of: vault.store)
        let key = relyingParty.publicKey
        authority = Authority(
            try vault.masterShare(share), appID: relyingParty.appID, clientSecretKey: key, timePermitKey: key)
        (store, self.audit, self.clock, self.logger) = (vault.store, audit, clock, logger)
    }

    package var isLocked: Bool { authority.isLocked }

    /// An empty question, and the status of its answer.
    package static var probe: (target: String, status: Int) { (AuthorityEndpoint.serverSecret.path, 403) }

    package func route(_ request: Request) -> RoutedRequest {
        let endpoint = AuthorityEndpoint(path: request.path)
        return RoutedRequest(endpoint?.requestClass ?? .reading) { [self] in .now(response(to: request, endpoint)) }
    }

    private func response(to request: Request, _ endpoint: AuthorityEndpoint?) -> Response {
        // Web clients ask from pages of the relying party. Authorization is only by the signature in the query and
        // never by a cookie, so any page may read the answer to a question that it has.
        plainResponse(to: request, endpoint).adding([(name: "Access-Control-Allow-Origin", value: "*")])
    }

    /// The answer to a browser that asks whether a page of another origin may send a question. Web clients of 2016 send
    /// `Content-Type` with it, and headers of their site's own. Browsers of their time do not know the `*`.
    private static let preflight = [
        (name: "Access-Control-Allow-Methods", value: "GET"),
        (name: "Access-Control-Allow-Headers", value: "Content-Type, X-Requested-With, *"),
    ]

    private func plainResponse(to request: Request, _ endpoint: AuthorityEndpoint?) -> Response {
        do {
            if request.method == "OPTIONS" { return .empty.adding(Self.preflight) }
            guard let endpoint else { throw Refusal.unknownPath }
            guard request.method == "GET" else { throw Refusal(405, "METHOD NOT ALLOWED", allowed: "GET") }
            return try endpoint.answer(request, by: self)
        } catch let refusal as Refusal {
            if refusal.status == 401 {
                // The relying party has another key now, or a thief has the former one.
                audit.note(.refused(.unsignedQuestion), user: nil, source: request.source)
            }
            return LoginPage.stray(refusal, request, root: nil) ?? .refusal(refusal)
        } catch { return .refusal(.of(error, logger)) }
    }

    func clientShare(_ query: ShareQuery, source: RequestSource) throws -> Response {
        let now = clock.now
        let share = try authority.clientShare(query, at: now)
        try count(query.hashMPinID?.bytes ?? [])
        let action = AuditAction.clientShareGiven(identity: query.hashMPinID?.bytes)
        try store.record([AuditEvent(action, at: now, source: source.text)])
        return .secret(share) { ShareResponse.clientSecret.encode(share: $0) }
    }

    func permitShare(_ query: PermitQuery, source: RequestSource) throws -> Response {
        let now = clock.now
        let day = try authority.day(of: query, at: now)
        let share = try authority.permitShare(query, for: day)
        note(Permit(hash: query.hashMPinID.bytes, day: day.number), at: now, source: source)
        return .secret(share) { ShareResponse.timePermit.encode(share: $0) }
    }

    func serverShare(_ query: ShareQuery, source: RequestSource) throws -> Response {
        let now = clock.now
        let share = try authority.serverShare(query, signedBy: relyingParty.publicKey, at: now)
        try count([])
        try store.record([AuditEvent(.serverShareGiven, at: now, source: source.text)])
        return .secret(share) { ShareResponse.serverSecret.encode(share: $0) }
    }

    /// Charges a share, whose line in the audit log must be written, to the hash of its identity.
    private func count(_ hash: [UInt8]) throws {
        let identity = RequestSource.account(hash.map { String($0, radix: 16) }.joined(separator: ":"))
        guard shares.take(identity, at: clock.monotonic()) else { throw Refusal.tooMany }
    }

    private func note(_ permit: Permit, at now: Timestamp, source: RequestSource) {
        let time = clock.monotonic()
        let isNew = permits.withLock { permits in
            guard permits.value(for: permit, at: time) == nil else { return false }
            // A signature is valid for two days at most.
            permits.insert((), for: permit, until: time + .seconds(2 * 86_400), at: time)
            return true
        }
        guard isNew else { return }
        audit.add(AuditEvent(.permitShareGiven(identity: permit.hash, day: permit.day), at: now, source: source.text))
    }
}
