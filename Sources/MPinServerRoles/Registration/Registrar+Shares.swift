// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The shares of client secrets.
extension Registrar {
    /// Seconds for which the share is sent again after the first time, in case the answer was lost.
    private static let graceSeconds: Int64 = 60
    /// Seconds for which the signature for the second share is valid.
    static let signatureSeconds: Int64 = 60

    /// Gives the first share of the secret, and the signed query for the second one. From then on the registration can
    /// log in.
    ///
    /// - Parameters:
    ///   - known: the registration as far as the request may see it.
    ///   - authorityURL: the address of the second authority, for clients that do not take it from the settings.
    func firstShare(
        _ hash: [UInt8], of known: RegistrationEntry?, regOTT: HexText, authorityURL: String?, source: RequestSource
    ) throws -> Response {
        let now = clock.now
        guard let registration = known else { throw Refusal(400, "M-Pin ID not found.") }
        try demand(regOTT, of: registration, source: source)
        guard registration.revoked == nil else { throw Refusal(403, "Revoked") }
        switch registration.state {
        case .registered:
            guard let delivered = registration.delivered, now.seconds < delivered + Self.graceSeconds else {
                throw Refusal(400, "M-Pin ID not found.")
            }
        case .held, .activated:
            guard registration.expires > now.seconds else { throw Refusal(400, "M-Pin ID not found.") }
            guard registration.state == .activated else { throw Refusal(401, "Identity not verified") }
        }
        let shareQuery = try signedQuery(hash, at: now)
        let share = try authority.clientShare(shareQuery, at: now)
        if registration.state == .activated {
            let event = AuditEvent(.enrolled(identity: hash), at: now, user: registration.user, source: source.text)
            let isDelivered = try store.deliverSecret(hash, now: now.seconds, event: event)
            if isDelivered { context.metrics.count(ServerMetrics.Registration.enrolled) }
            if !isDelivered, try store.registration(hash)?.state != .registered { throw Refusal(403, "Revoked") }
        }
        let response = SignatureResponse(params: shareQuery.encode(), authorityURL: authorityURL)
        return .secret(share) { response.encode(share: $0) }
    }

    private func signedQuery(_ hash: [UInt8], at now: Timestamp) throws -> ShareQuery {
        let expires = now.adding(seconds: Self.signatureSeconds).zulu
        let signature = try signingKey.sign(
            SignedParts.clientSecret(appID: context.appID, hash: hash, expires: expires))
        return ShareQuery(
            appID: context.appID, expires: expires, hashMPinID: HexText(bytes: hash),
            signature: HexText(bytes: signature))
    }

    /// Gives the second authority's share of the secret, if that authority is on this server.
    func secondShare(_ query: ShareQuery, of authority: Authority) throws -> Response {
        let share = try authority.clientShare(query, at: clock.now)
        if let hash = query.hashMPinID {
            let known = try store.registration(hash.bytes)
            guard let known, known.deviceKey != nil || takesPasses(known), known.state == .registered,
                known.revoked == nil
            else { throw Refusal(410, "Revoked") }
        }
        return .secret(share) { ShareResponse.clientSecret.encode(share: $0) }
    }
}
