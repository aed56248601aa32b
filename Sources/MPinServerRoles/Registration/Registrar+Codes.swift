// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The codes in the requests of a registration.
extension Registrar {
    /// What a request without a registration may become.
    struct Admission {
        let state: RegistrationEntry.State
        /// The code that admits it. The storage decides whether the code is still valid.
        var code: AdmissionCode?
        /// The server's proof that it knows the code that the client has named.
        var proof: HexText?
    }

    /// Decides what a request without a named code may become, before its code is used up.
    func admit(_ request: RegisterRequest, source: RequestSource) throws -> Admission {
        try demand(limits.registrations, source)
        guard let typed = request.activateCode, !typed.isEmpty else {
            return try admitWithoutCode(request, source: source)
        }
        guard let symbols = EnrollmentCode.symbols(typed) else {
            // The site's application may use codes of its own. Any other malformed code is refused.
            guard configuration.verifiesByHook else { throw refused(request, source: source) }
            try count(source)
            return Admission(state: .held)
        }
        guard configuration.legacy == .allow else {
            note(.codeInClear, request, source: source)
            throw Refusal(403, "This server accepts codes only from clients that do not send them; update this client")
        }
        guard let known = try codes.find(CodeSecret(symbols: symbols).name, user: request.userID) else {
            throw refused(request, source: source)
        }
        return Admission(state: .activated, code: known.admission)
    }

    private func admitWithoutCode(_ request: RegisterRequest, source: RequestSource) throws -> Admission {
        let isVerifiedLater = MailVerification.address(of: request.userID, configuration) != nil
        let isActivated = configuration.forceActivate && !configuration.verifiesByHook
        guard isActivated || configuration.verifiesByHook || isVerifiedLater || configuration.holdUnverified else {
            throw refused(request, source: source)
        }
        try count(source)
        return Admission(state: isActivated ? .activated : .held)
    }

    /// Refuses a registration without a code, or with one that is not valid.
    func refused(_ request: RegisterRequest, source: RequestSource) -> Refusal {
        note(request.hasCode ? .invalidCode : .noCode, request, source: source)
        guard request.hasCode else { return Refusal(403, "This server requires an invitation code") }
        charge(limits.registrations, source)
        return Refusal(403, "The invitation code is not valid for this user, was already used, or has expired")
    }
}

extension RegisterRequest {
    /// Whether it has a code, named or in the clear.
    var hasCode: Bool { code != nil || activateCode?.isEmpty == false }
}
