// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Issues M-Pin IDs and the first shares of their secrets.
struct Registrar: ServerComponent {
    /// Seconds for which the share is sent again after the first time, in case the answer was lost.
    static let graceSeconds: Int64 = 60
    /// Seconds for which the signature for the second share is valid.
    static let signatureSeconds: Int64 = 60

    let context: ServerContext
    let policy: RegistrationPolicy
    let codes: EnrollmentCodes
    /// Nil if registrations are not verified by mail.
    let mail: MailVerification?
    /// Nil if no application of the site verifies registrations.
    let hook: HookVerification?
    let authority: Authority
    let signingKey: any QuestionSigner
    let signatures: DeviceSignatures
    /// The address of the second authority, as in the client settings.
    let authorityURL: String

    /// Begins a registration.
    func register(_ request: RegisterRequest, source: RequestSource) throws -> RegisterResponse {
        guard UserName.isValid(request.userID) else { throw Refusal(400, "BAD REQUEST. INVALID USERID") }
        try Self.demandSmall(request.userData)
        let deviceKey = try deviceKey(of: request, source: source)
        let admission = try admit(request, deviceKey: deviceKey, source: source)
        var (state, code) = (admission.state, admission.code)
        // For a suspended user, a registration without an invitation is held as if it waited for verification. The
        // storage enforces it.
        let isSuspended = try code == nil && store.suspension(barring: request.userID) != nil
        let letter = state == .held ? try mail?.permit(request.userID, source: source) : nil
        let now = clock.now
        let expires = now.adding(seconds: Int64(configuration.registrationSeconds))
        let (mpinID, regOTT) = try Self.issue(request, at: now)
        let (hash, ott) = (try Hash.sha256(mpinID.bytes), try Hash.sha256(regOTT.bytes))
        if state == .held, let hook {
            if isSuspended { throw suspendedRefusal(request, source: source) }
            let isVerified = try hook.ask(
                request, mpinID: mpinID, hash: hash, ott: ott, expires: expires, isRestart: false, source: source)
            if isVerified { state = .activated }
        }
        let new = NewRegistration(
            hash: hash, user: request.userID, device: Self.device(request), mobile: request.mobile, state: state,
            ott: ott, created: now.seconds, expires: expires.seconds, userData: Self.userData(request),
            deviceKey: deviceKey)
        let manner: AuditAction.Admission =
            if let code { .code(code) } else if isSuspended || state != .activated {
                .held(isSuspended: isSuspended)
            } else { .withoutCode }
        let event = AuditEvent(
            .registrationStarted(manner), at: now, user: request.userID, source: source.text)
        guard let made = try store.addRegistration(new, code: code, event: event) else {
            throw refused(request, source: source)
        }
        context.metrics.count(ServerMetrics.Registration.begun)
        if let letter { try mail?.send(letter, registration: new.hash, expires: expires, source: source) }
        return RegisterResponse(
            mpinID: mpinID, regOTT: regOTT, active: made.state == .activated, expireTime: expires.fractional,
            nowTime: now.fractional,
            // Without a code, the number would show any client how many registrations a user has.
            device: code == nil ? nil : made.number, backupCodes: made.backupCodes, codeProof: admission.proof)
    }

    /// A new M-Pin ID and its one-time token.
    static func issue(_ request: RegisterRequest, at now: Timestamp) throws -> (mpinID: HexText, regOTT: HexText) {
        let record = MPinIDRecord(
            userID: request.userID, mobile: request.mobile, issued: now.spaced, salt: try Random.bytes(16))
        return (HexText(bytes: record.encode()), HexText(bytes: try Random.bytes(OneTimeToken.size)))
    }

    /// Restarts a registration. One that has expired, or that never existed, begins as a new one. So does one whose
    /// share was sent, unless its device has signed and it was never used: then a new registration replaces it.
    func restart(_ mpinID: HexText, _ request: RegisterRequest, source: RequestSource) throws -> RegisterResponse {
        guard UserName.isValid(request.userID) else { throw Refusal(400, "BAD REQUEST. INVALID USERID") }
        let hash = try Hash.sha256(mpinID.bytes)
        let now = clock.now
        let known = try seen(
            store.registration(hash), .restart, mpinID, regOTT: request.regOTT, request.deviceProof)
        guard let old = known, old.expires > now.seconds, old.revoked == nil,
            old.state != .registered || old.deviceKey != nil
        else { return try register(request, source: source) }
        if old.deviceKey == nil, configuration.legacy != .allow { throw withoutKey(request, source: source) }
        guard let regOTT = request.regOTT else { throw Refusal(400, "BAD REQUEST. INVALID REGOTT") }
        try demand(regOTT, of: old, source: source)
        // The M-Pin ID names the user permanently. A restart with another name would hijack the registration.
        guard old.user.utf8.elementsEqual(request.userID.utf8) else {
            throw Refusal(403, "Another user's registration")
        }
        try Self.demandSmall(request.userData)
        if old.state != .held || !request.hasCode { try count(source) }
        let named = try namedCode(in: request, deviceKey: old.deviceKey, source: source)
        if old.state == .registered {
            return try replace(hash, of: old, request, codeProof: named?.proof, source: source)
                ?? register(request, source: source)
        }
        let (code, letter) =
            old.state == .held && named != nil
            ? (named?.code, nil) : try proof(in: request, of: old, hash, source: source)
        let expires = now.adding(seconds: Int64(configuration.registrationSeconds))
        var activates = configuration.forceActivate && hook == nil
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

    /// Gives the first share of the secret, and the signed query for the second one. From then on the registration can
    /// log in.
    func signature(_ mpinID: HexText, _ query: SignatureQuery, source: RequestSource) throws -> Response {
        let hash = try Hash.sha256(mpinID.bytes)
        let now = clock.now
        let known = try seen(store.registration(hash), .signature, mpinID, regOTT: query.regOTT, query.deviceProof)
        guard let registration = known else { throw Refusal(400, "M-Pin ID not found.") }
        try demand(query.regOTT, of: registration, source: source)
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
            let event = AuditEvent(
                .enrolled(identity: hash), at: now, user: registration.user, source: source.text)
            let isDelivered = try store.deliverSecret(hash, now: now.seconds, event: event)
            if isDelivered { context.metrics.count(ServerMetrics.Registration.enrolled) }
            if !isDelivered, try store.registration(hash)?.state != .registered { throw Refusal(403, "Revoked") }
        }
        let response = SignatureResponse(
            params: shareQuery.encode(), authorityURL: query.deviceProof == nil ? nil : authorityURL)
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

    /// Compares a one-time token in constant time. A wrong token does not change the registration.
    private func demand(_ regOTT: HexText, of registration: RegistrationRecord, source: RequestSource) throws {
        guard let ott = registration.ott, Hash.equal(ott, try Hash.sha256(regOTT.bytes)) else {
            try demand(limits.registrations, source)
            charge(limits.registrations, source)
            throw Refusal(400, "BAD REQUEST. INVALID REGOTT")
        }
    }

    /// The proof in the restart of a held registration: a code, or none, which requests another mail. A code from a
    /// mail is verified here, any other code in the transaction of the restart.
    private func proof(
        in request: RegisterRequest, of old: RegistrationRecord, _ hash: [UInt8], source: RequestSource
    ) throws -> (code: AdmissionCode?, letter: MailVerification.Permission?) {
        guard old.state == .held else { return (nil, nil) }
        guard let typed = request.activateCode, !typed.isEmpty else {
            return (nil, configuration.forceActivate ? nil : try anotherMail(for: old, source: source))
        }
        guard let mail, let digits = MailCode.normalized(typed) else {
            return (try admit(request, deviceKey: old.deviceKey, source: source).code, nil)
        }
        try demand(limits.registrations, source)
        let verdict = try mail.verify(digits, registration: hash, user: old.user, source: source)
        if case .right = verdict { return (nil, nil) }
        audit.note(
            .registrationRefused(.invalidMailCode), at: clock.now, user: old.user, source: source)
        charge(limits.registrations, source)
        switch verdict {
        case .wrong(let left) where left > 0:
            throw Refusal(403, "This is not the code in the latest mail; tries left: \(left)")
        case .spent: throw Refusal(403, "Too many wrong codes today: use the link in the mail")
        default: throw Refusal(403, "Too many wrong codes: use the link in the mail, or ask for another mail")
        }
    }

    /// Requests another mail for the user of a registration that waits. A client of 2016 would take a refusal for the
    /// end of the registration, so it does not learn that it is too early: the previous mail is still valid.
    private func anotherMail(
        for old: RegistrationRecord, source: RequestSource
    ) throws -> MailVerification.Permission? {
        do {
            return try mail?.permit(old.user, source: source)
        } catch let refusal as Refusal where refusal.status == 429 && old.deviceKey == nil {
            return nil
        }
    }

    /// The refusal of a registration without an invitation. A suspended user gets the same refusal as a user whom the
    /// application refuses.
    private func suspendedRefusal(_ request: RegisterRequest, source: RequestSource) -> Refusal {
        context.metrics.count(ServerMetrics.Registration.refused)
        audit.note(
            .registrationRefused(.suspendedUser), at: clock.now, user: request.userID, source: source)
        return HookVerification.refusal
    }

    /// Charges a request that adds a row to the database without a code.
    func count(_ source: RequestSource) throws {
        try demand(limits.openRegistrations, source)
        charge(limits.openRegistrations, source)
    }

    /// The largest user data that is stored for an application, in bytes of JSON.
    private static let largestUserData = 4_096

    private static func demandSmall(_ userData: [UInt8]?) throws {
        guard userData?.count ?? 0 <= largestUserData else {
            throw Refusal(400, "BAD REQUEST. USERDATA HAS MORE THAN \(largestUserData) BYTES")
        }
    }

    /// The user data as JSON; nil for none and for an empty text.
    static func userData(_ request: RegisterRequest) -> String? {
        guard let json = request.userData, json != Array("\"\"".utf8) else { return nil }
        return String(decoding: json, as: UTF8.self)
    }

    /// A device's name for storing and showing: its visible characters, at most 64, with single blanks between words.
    /// The device chooses it, and users choose a device by it, so names that differ only in invisible characters become
    /// equal. Letters of different scripts can still look alike.
    static func device(_ request: RegisterRequest) -> String {
        let visible = (request.deviceName ?? "").unicodeScalars.filter(UserName.isVisible)
        let words = visible.split { $0.properties.isWhitespace }.joined(separator: " ".unicodeScalars)
        var name = String.UnicodeScalarView()
        name.append(contentsOf: words.prefix(64))
        if name.last == " " { name.removeLast() }
        return String(name)
    }
}
