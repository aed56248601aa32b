// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The steps of a registration that are the same with and without a device key: it issues M-Pin IDs.
struct Registrar: ServerComponent {
    /// The largest user data that is stored for an application, in bytes of JSON.
    private static let largestUserData = 4_096

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

    /// Refuses a malformed user ID and too much user data.
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
            device: code == nil ? nil : made.number, backupCodes: made.backupCodes, codeProof: admission.proof)
    }

    /// A new M-Pin ID and its one-time token.
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

    /// Records that a registration was refused.
    func note(_ obstacle: AuditAction.RegistrationObstacle, _ request: RegisterRequest, source: RequestSource) {
        context.metrics.count(ServerMetrics.Registration.refused)
        audit.note(.registrationRefused(obstacle), user: request.userID, source: source)
    }

    /// Charges a request that adds a row to the database without a code.
    func count(_ source: RequestSource) throws {
        try demand(limits.openRegistrations, source)
        charge(limits.openRegistrations, source)
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
