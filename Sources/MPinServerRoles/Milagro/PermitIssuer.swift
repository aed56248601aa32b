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

    /// The second authority's share of a time permit.
    func permitShare(_ query: PermitQuery, of authority: Authority) throws -> Response {
        let share = try authority.permitShare(query, at: clock.now)
        try demandGood(query.hashMPinID.bytes)
        return .secret(share) { ShareResponse.timePermit.encode(share: $0) }
    }

    /// Refuses an identity that is unknown, not completely registered, or revoked. One with a device key needs no time
    /// permits, so it gets none.
    ///
    /// - Parameter source: the source of a request with the whole M-Pin ID. It gets an administrator's reason, and an
    ///   entry in the audit log if such registrations are not accepted. Nil for requests with only the hash.
    private func demandGood(_ hash: [UInt8], askedBy source: RequestSource? = nil) throws {
        let found = try store.registration(hash).flatMap { $0.deviceKey == nil ? $0 : nil }
        let isTaken = configuration.acceptsMilagro
        if let found, found.state == .registered, found.revoked == nil {
            if isTaken { return }
            if let source { audit.note(.refused(.withoutKey(device: found.number)), user: found.user, source: source) }
        }
        let isExplained = isTaken && source != nil && found?.revoked != nil
        throw Refusal(410, "Revoked", reason: isExplained ? found?.reason : nil)
    }
}
