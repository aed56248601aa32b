// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Gives the first share of a time permit, without which a client cannot log in on that day.
struct PermitIssuer: ServerComponent {
    let context: ServerContext
    let authority: Authority
    let signingKey: any QuestionSigner

    /// The share for today and the signed query for the second one.
    func permit(_ mpinID: HexText, source: RequestSource) throws -> Response {
        let hash = try Hash.sha256(mpinID.bytes)
        try demandGood(hash, askedBy: source)
        let now = clock.now
        guard let day = PermitDay(now.day) else { throw Refusal.failure }
        let signature = try signingKey.sign(SignedParts.timePermit(appID: context.appID, hash: hash, day: day))
        let query = PermitQuery(hashMPinID: HexText(bytes: hash), signature: HexText(bytes: signature))
        let share = try authority.permitShare(query, at: now)
        let response = TimePermitResponse(
            date: day.number, storageID: HexText(bytes: hash), signature: HexText(bytes: signature))
        return .secret(share) { response.encode(share: $0) }
    }

    /// The second authority's share of a client secret.
    func clientSecretShare(_ query: ShareQuery, of authority: Authority) throws -> Response {
        let share = try authority.clientShare(query, at: clock.now)
        if let hash = query.hashMPinID { try demandGood(hash.bytes, isEnrolling: true) }
        return .secret(share) { ShareResponse.clientSecret.encode(share: $0) }
    }

    /// The second authority's share of a time permit.
    func permitShare(_ query: PermitQuery, of authority: Authority) throws -> Response {
        let share = try authority.permitShare(query, at: clock.now)
        try demandGood(query.hashMPinID.bytes)
        return .secret(share) { ShareResponse.timePermit.encode(share: $0) }
    }

    /// Refuses an identity that is unknown, not completely registered, or revoked.
    ///
    /// - Parameters:
    ///   - source: the source of a request with the whole M-Pin ID. It gets an administrator's reason, and an entry in
    ///     the audit log if the registration has no key and such registrations are not accepted. Nil for requests with
    ///     only the hash.
    ///   - isEnrolling: whether to serve a registration with a key, which needs no time permits.
    func demandGood(_ hash: [UInt8], askedBy source: RequestSource? = nil, isEnrolling: Bool = false) throws {
        let found = try store.registration(hash)
        let registration = found.flatMap { isEnrolling && $0.deviceKey != nil || takesPasses($0) ? $0 : nil }
        guard let registration, registration.state == .registered, registration.revoked == nil else {
            if let source, let found, registration == nil, found.deviceKey == nil, found.state == .registered,
                found.revoked == nil
            {
                audit.note(
                    .refused(.unsigned(UnsignedAttempt(found))), at: clock.now, user: found.user, source: source)
            }
            let reason = registration?.revoked == nil || source == nil ? nil : registration?.reason
            throw Refusal(410, "Revoked", reason: reason.map(RegistrationRecord.shown))
        }
    }
}
