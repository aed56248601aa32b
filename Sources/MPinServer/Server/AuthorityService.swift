internal import MPinCrypto
internal import MPinWire

/// Answers the relying party's signed questions with shares of one master share.
///
/// What makes tokens and verifies logins is written down before it leaves, so that the audit log of this host tells what
/// a relying party has asked for that was broken into.
struct AuthorityService: Sendable {
    let authority: Authority
    let relyingParty: RelyingPartyIdentity
    let store: Store
    let clock: ServerClock

    init(_ opened: OpenedDirectory) throws(ServerFault) {
        relyingParty = try RelyingPartyIdentity(of: opened.store)
        let key = relyingParty.publicKey
        guard let share = opened.role.shares.first else { throw ServerRole.isNoAuthority(opened.directory.path) }
        authority = Authority(
            try ServerState.masterShare(share, opened.store, opened.root), appID: relyingParty.appID,
            clientSecretKey: key, timePermitKey: key)
        (store, clock) = (opened.store, opened.clock)
    }

    func clientShare(_ query: ShareQuery, source: RequestSource) throws -> [UInt8] {
        let now = clock.now
        let share = try authority.clientShare(query, at: now)
        try store.record([AuditEvent(.clientShareGiven, at: now, source: source.text)])
        return share.withBytes { ClientSecretResponse().encode(share: $0) }
    }

    func permitShare(_ query: PermitQuery) throws -> [UInt8] {
        let share = try authority.permitShare(query, at: clock.now)
        return share.withBytes { PermitShareResponse().encode(share: $0) }
    }

    func serverShare(_ query: ShareQuery, source: RequestSource) throws -> [UInt8] {
        let now = clock.now
        let share = try authority.serverShare(query, signedBy: relyingParty.publicKey, at: now)
        try store.record([AuditEvent(.serverShareGiven, at: now, source: source.text)])
        return share.withBytes { ServerSecretResponse().encode(share: $0) }
    }
}
