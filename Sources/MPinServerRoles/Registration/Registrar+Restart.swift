// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

extension Registrar {
    /// Checks that a restart comes from the client to whom a registration belongs.
    func demandOwn(_ request: RegisterRequest, of old: RegistrationEntry, source: RequestSource) throws -> HexText {
        guard let regOTT = request.regOTT else { throw Refusal(400, "BAD REQUEST. INVALID REGOTT") }
        try demand(regOTT, of: old, source: source)
        // The M-Pin ID names the user permanently. A restart with another name would hijack the registration.
        guard old.user.utf8.elementsEqual(request.userID.utf8) else {
            throw Refusal(403, "Another user's registration")
        }
        if old.state != .held || !request.hasCode { try count(source, user: old.user) }
        return regOTT
    }

    /// Restarts a registration that waits to be verified, or whose share was not fetched yet.
    ///
    /// - Parameters:
    ///   - named: what the code admits that the client has named; nil if it has named none.
    ///   - hidesWait: whether the client does not learn that it is too early for another mail.
    func resume(
        _ old: RegistrationEntry, _ mpinID: HexText, _ request: RegisterRequest, regOTT: HexText, named: Admission?,
        hidesWait: Bool, source: RequestSource
    ) throws -> RegisterResponse {
        let hash = try Hash.sha256(mpinID.bytes)
        let now = clock.now
        let (code, letter) =
            old.state == .held && named != nil
            ? (named?.code, nil) : try proof(in: request, of: old, hash, hidesWait: hidesWait, source: source)
        let expires = now.adding(seconds: Int64(configuration.registrationSeconds))
        var activates = false
        if old.state == .held, code == nil, let hook, let ott = old.ott {
            if try store.suspension(barring: old.user) != nil { throw suspendedRefusal(request, source: source) }
            activates = try hook.ask(
                request, mpinID: mpinID, hash: hash, ott: ott, expires: expires, isRestart: true, source: source)
        }
        let active = try store.restartRegistration(
            hash, code: code, activates: activates, device: Self.device(request), userData: Self.userData(request),
            now: now.seconds, expires: expires.seconds,
            event: AuditEvent(.registrationRestarted, at: now, user: old.user, source: source.text))
        guard let active else { throw refused(request, source: source) }
        if let letter, !active { try mail?.send(letter, registration: hash, expires: expires, source: source) }
        return RegisterResponse(
            mpinID: mpinID.lowercased, regOTT: regOTT, active: active, expireTime: expires.fractional,
            nowTime: now.fractional, codeProof: named?.proof)
    }

    /// Compares a one-time token in constant time. A wrong token does not change the registration.
    func demand(_ regOTT: HexText, of registration: RegistrationEntry, source: RequestSource) throws {
        guard let ott = registration.ott, Hash.equal(ott, try Hash.sha256(regOTT.bytes)) else {
            try demand(limits.registrations, source)
            charge(limits.registrations, source)
            throw Refusal(400, "BAD REQUEST. INVALID REGOTT")
        }
    }

    /// The proof in the restart of a held registration: a code, or none, which requests another mail. A code from a
    /// mail is verified here, any other code in the transaction of the restart.
    private func proof(
        in request: RegisterRequest, of old: RegistrationEntry, _ hash: [UInt8], hidesWait: Bool, source: RequestSource
    ) throws -> (code: AdmissionCode?, letter: MailVerification.Permission?) {
        guard old.state == .held else { return (nil, nil) }
        guard let typed = request.activateCode, !typed.isEmpty else {
            return (nil, try anotherMail(for: old, hidesWait: hidesWait, source: source))
        }
        guard let mail, let digits = MailCode.normalized(typed) else {
            return (try admit(request, source: source).code, nil)
        }
        try demand(limits.registrations, source)
        let verdict = try mail.verify(digits, registration: hash, user: old.user, source: source)
        if case .right = verdict { return (nil, nil) }
        audit.note(.registrationRefused(.invalidMailCode), user: old.user, source: source)
        charge(limits.registrations, source)
        switch verdict {
        case .wrong(let left) where left > 0:
            throw Refusal(403, "This is not the code in the latest mail; tries left: \(left)")
        case .spent: throw Refusal(403, "Too many wrong codes today: use the link in the mail")
        default: throw Refusal(403, "Too many wrong codes: use the link in the mail, or ask for another mail")
        }
    }

    /// Requests another mail for the user of a registration that waits.
    private func anotherMail(
        for old: RegistrationEntry, hidesWait: Bool, source: RequestSource
    ) throws -> MailVerification.Permission? {
        do {
            return try mail?.permit(old.user, source: source)
        } catch let refusal as Refusal where refusal.status == 429 && hidesWait {
            return nil
        }
    }
}
