internal import MPinCrypto
internal import MPinWire
import Synchronization

/// Answers the relying party's signed questions with shares of one master share.
///
/// What makes tokens and verifies logins is written down before it leaves, so that the audit log of this host tells what
/// a relying party has asked for that was broken into. A time permit is written down soon after it has left, once for
/// each identity and day: its question is good for the whole day, and could otherwise fill the log.
final class AuthorityService: Sendable {
    private struct Permit: Hashable {
        let hash: [UInt8]
        let day: Int
    }

    let authority: Authority
    private let relyingParty: RelyingPartyIdentity
    private let store: Store
    private let audit: Audit
    private let clock: ServerClock
    /// The permits that are in the audit log already.
    private let permits = Mutex(ExpiringTable<Permit, Void>(limit: 65_536))

    init(_ opened: OpenedDirectory) throws(ServerFault) {
        relyingParty = try RelyingPartyIdentity(of: opened.store)
        let key = relyingParty.publicKey
        guard let share = opened.role.shares.first else { throw ServerRole.isNoAuthority(opened.directory.path) }
        authority = Authority(
            try ServerState.masterShare(share, opened.store, opened.root), appID: relyingParty.appID,
            clientSecretKey: key, timePermitKey: key)
        (store, audit, clock) = (opened.store, opened.audit, opened.clock)
    }

    func clientShare(_ query: ShareQuery, source: RequestSource) throws -> Response {
        let now = clock.now
        let share = try authority.clientShare(query, at: now)
        let detail = query.hashMPinID.map { AuditEvent.identity($0.bytes) }
        try store.record([AuditEvent(.clientShareGiven, at: now, source: source.text, detail: detail)])
        return .secret(share) { ClientSecretResponse().encode(share: $0) }
    }

    func permitShare(_ query: PermitQuery, source: RequestSource) throws -> Response {
        let now = clock.now
        let day = try authority.day(of: query, at: now)
        let share = try authority.permitShare(query, for: day)
        note(Permit(hash: query.hashMPinID.bytes, day: day.number), at: now, source: source)
        return .secret(share) { PermitShareResponse().encode(share: $0) }
    }

    func serverShare(_ query: ShareQuery, source: RequestSource) throws -> Response {
        let now = clock.now
        let share = try authority.serverShare(query, signedBy: relyingParty.publicKey, at: now)
        try store.record([AuditEvent(.serverShareGiven, at: now, source: source.text)])
        return .secret(share) { ServerSecretResponse().encode(share: $0) }
    }

    private func note(_ permit: Permit, at now: Timestamp, source: RequestSource) {
        let time = clock.monotonic()
        let isNew = permits.withLock { permits in
            guard permits.value(for: permit, at: time) == nil else { return false }
            // A signature is good for two days at most.
            permits.insert((), for: permit, until: time + .seconds(2 * 86_400), at: time)
            return true
        }
        guard isNew else { return }
        let date = Timestamp(seconds: Int64(permit.day) * 86_400).zulu.prefix(10)
        audit.add(
            AuditEvent(
                .permitShareGiven, at: now, source: source.text,
                detail: "\(AuditEvent.identity(permit.hash)) for \(date)"))
    }
}
