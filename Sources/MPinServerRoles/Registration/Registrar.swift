// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The steps of a registration that are the same with and without a device key: it issues M-Pin IDs.
struct Registrar: ServerComponent {
    /// The largest user data that is stored for an application, in bytes of JSON.
    private static let largestUserData = 4_096
    /// How many registrations may be unfinished when another one begins without a code.
    private static let mostUnfinished = 10_000

    let context: ServerContext
    let codes: EnrollmentCodes
    /// Nil if registrations are not verified by mail.
    let mail: MailVerification?
    /// Nil if no application of the site verifies registrations.
    let hook: HookVerification?
    let authority: Authority
    let signingKey: any QuestionSigner

    /// Answers a request that may wait for the site's application. It uses no thread of other requests.
    func onHookThread(_ body: @escaping @Sendable () throws -> RegisterResponse) throws -> RouteResult {
        guard let hook else { return .now(.json(try body().encode())) }
        return hook.client.wait { [context] in
            do { return .json(try body().encode()) } catch { return .refusal(.of(error, context.logger)) }
        }
    }

    func check(_ request: RegisterRequest) throws {
        guard UserName.isValid(request.userID) else { throw Refusal(400, "BAD REQUEST. INVALID USERID") }
        guard request.userData?.count ?? 0 <= Self.largestUserData else {
            throw Refusal(400, "BAD REQUEST. USERDATA HAS MORE THAN \(Self.largestUserData) BYTES")
        }
    }

    /// Begins a registration.
    ///
    /// - Parameter deviceKey: the key of its device; nil for a Milagro registration.
    func begin(
        _ request: RegisterRequest, deviceKey: [UInt8]?, _ admission: Admission, source: RequestSource
    ) throws -> RegisterResponse {
        var (state, code) = (admission.state, admission.code)
        // For a suspended user, a registration without an invitation is held as if it waited for verification. The
        // storage enforces it.
        let isSuspended = try code == nil && store.suspension(barring: request.userID) != nil
        let now = clock.now
        // With a code, the administrator or the user wants the registration.
        if code == nil, try store.hasUnfinishedRegistrations(Self.mostUnfinished, now: now.seconds) {
            throw Refusal.tooMany
        }
        let letter = state == .held ? try mail?.permit(request.userID, source: source) : nil
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
        let event = AuditEvent(.registrationStarted(manner), at: now, user: request.userID, source: source.text)
        guard let made = try store.addRegistration(new, code: code, event: event) else {
            throw refused(request, source: source)
        }
        context.metrics.count(ServerMetrics.Registration.begun)
        if let letter { try mail?.send(letter, registration: new.hash, expires: expires, source: source) }
        return RegisterResponse(
            mpinID: mpinID, regOTT: regOTT, active: made.state == .activated, expireTime: expires.fractional,
            nowTime: now.fractional,
            // Without a code, the number would show any client how many registrations a user has.
            device: code == nil ? nil : made.number, backupCodes: made.backupCodes, codeProof: admission.proof,
            codesOnly: deviceKey != nil && code != nil && configuration.admitsByCodesOnly)
    }

    static func issue(_ request: RegisterRequest, at now: Timestamp) throws -> (mpinID: HexText, regOTT: HexText) {
        let record = MPinIDRecord(
            userID: request.userID, mobile: request.mobile, issued: now.spaced, salt: try Random.bytes(16))
        return (HexText(bytes: record.encode()), HexText(bytes: try Random.bytes(OneTimeToken.size)))
    }

    /// The refusal of a registration without an invitation. A suspended user gets the same refusal as a user whom the
    /// application refuses.
    func suspendedRefusal(_ request: RegisterRequest, source: RequestSource) -> Refusal {
        note(.suspendedUser, request, source: source)
        return HookVerification.refusal
    }

    func note(_ obstacle: AuditAction.RegistrationObstacle, _ request: RegisterRequest, source: RequestSource) {
        note(obstacle, user: request.userID, source: source)
    }

    private func note(_ obstacle: AuditAction.RegistrationObstacle, user: String, source: RequestSource) {
        context.metrics.count(ServerMetrics.Registration.refused)
        audit.note(.registrationRefused(obstacle), user: user, source: source)
    }

    /// Charges a request that adds a row to the database without a code, to its source and to the user whom it names.
    func count(_ source: RequestSource, user: String) throws {
        try demand(limits.openRegistrations, source)
        charge(limits.openRegistrations, source)
        guard limits.registrationsOfUser.take(.account(user), at: clock.monotonic()) else { throw Refusal.tooMany }
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
            try count(source, user: request.userID)
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
        guard configuration.verifiesByHook || isVerifiedLater || configuration.holdUnverified else {
            throw refused(request, source: source)
        }
        try count(source, user: request.userID)
        return Admission(state: .held)
    }

    func refused(_ request: RegisterRequest, source: RequestSource) -> Refusal {
        guard request.hasCode else {
            note(.noCode, request, source: source)
            return Refusal(403, "This server requires an invitation code")
        }
        return refusedCode(user: request.userID, source: source)
    }

    func refusedCode(user: String, source: RequestSource) -> Refusal {
        note(.invalidCode, user: user, source: source)
        charge(limits.registrations, source)
        return Refusal(403, "The invitation code is not valid for this user, was already used, or has expired")
    }
}

extension RegisterRequest {
    /// Whether it has a code, named or in the clear.
    var hasCode: Bool { code != nil || activateCode?.isEmpty == false }
}

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
