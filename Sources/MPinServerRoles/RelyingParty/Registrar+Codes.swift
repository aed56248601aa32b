// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The codes in the requests of a registration.
extension Registrar {
    /// What a request without a registration may become.
    struct Admission {
        let state: RegistrationRecord.State
        /// The code that admits it. The storage decides whether the code is still valid.
        var code: AdmissionCode?
        /// The server's proof that it knows the code that the client has named.
        var proof: HexText?
    }

    /// Decides what a request without a registration may become, before its code is used up.
    ///
    /// - Parameter deviceKey: the key of the registration.
    func admit(_ request: RegisterRequest, deviceKey: [UInt8]?, source: RequestSource) throws -> Admission {
        try demand(limits.registrations, source)
        if let named = try namedCode(in: request, deviceKey: deviceKey, source: source) { return named }
        switch policy.decide(code: request.activateCode, user: request.userID) {
        case .ifCodeIsGood(let symbols):
            guard let known = try codes.find(CodeSecret(symbols: symbols).name, user: request.userID) else {
                throw refused(request, source: source)
            }
            return Admission(state: .activated, code: known.admission)
        case .activated: try count(source); return Admission(state: .activated)
        case .held: try count(source); return Admission(state: .held)
        case .refused: throw refused(request, source: source)
        case .codeInClear:
            context.metrics.count(ServerMetrics.Registration.refused)
            audit.note(.registrationRefused(.codeInClear), at: clock.now, user: request.userID, source: source)
            throw Refusal(403, "This server accepts codes only from clients that do not send them; update this client")
        }
    }

    /// The code that a client has named and proved to know; nil if it has named none.
    ///
    /// - Parameter deviceKey: the key of the registration, which the client's proof must name. So a proof that was
    ///   seen on the way admits no other device.
    func namedCode(in request: RegisterRequest, deviceKey: [UInt8]?, source: RequestSource) throws -> Admission? {
        guard let named = request.code else { return nil }
        try demand(limits.registrations, source)
        guard let deviceKey, let known = try codes.find(named.name.bytes, user: request.userID) else {
            throw refused(request, source: source)
        }
        let user = Array(request.userID.utf8)
        let expected = try known.secret.clientProof(user: user, deviceKey: deviceKey, serverKeyHash: context.key.hash)
        guard Hash.equal(named.proof.bytes, expected) else { throw refused(request, source: source) }
        let proof = try known.secret.serverProof(user: user, deviceKey: deviceKey, serverKeyHash: context.key.hash)
        return Admission(state: .activated, code: known.admission, proof: HexText(bytes: proof))
    }

    /// Refuses a registration without a code, or with one that is not valid.
    func refused(_ request: RegisterRequest, source: RequestSource) -> Refusal {
        context.metrics.count(ServerMetrics.Registration.refused)
        audit.note(
            .registrationRefused(request.hasCode ? .invalidCode : .noCode), at: clock.now, user: request.userID,
            source: source)
        guard request.hasCode else { return Refusal(403, "This server requires an invitation code") }
        charge(limits.registrations, source)
        return Refusal(403, "The invitation code is not valid for this user, was already used, or has expired")
    }
}

extension RegisterRequest {
    /// Whether it has a code, named or in the clear.
    var hasCode: Bool { code != nil || activateCode?.isEmpty == false }
}
