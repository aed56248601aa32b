// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinWire

extension MPinClient {
    /// Starts a login: fetches the time permits of the server's day, unless the device signs the login.
    ///
    /// A login that the device signs needs no permit, and usually starts without a request. Only if the last contact
    /// ended with REVOKED, this call asks the server whether the user is still revoked. Otherwise the call that finishes
    /// the login reports a revocation, after the PIN was typed. For other logins, the first permit share is fetched each
    /// time, because the server refuses it to a revoked registration; the second is cached for its day.
    /// - Parameters:
    ///   - user: a user that is stored in state REGISTERED. Another process may have made it so.
    ///   - accessCode: the code of the waiting session that this login is for, if any.
    /// - Throws: REVOKED if the server refuses the permit, or reports that the user is still revoked. FLOW_ERROR in
    ///   another state.
    ///
    /// Milagro: `StartAuthentication`
    @inline(never)
    public mutating func startAuthentication(
        _ user: User, accessCode: String? = nil
    ) throws(MPinError) -> PendingAuthentication {
        try requireHere(user)
        // Another process may have lifted a block, or recovered the user.
        _ = try reconcile(user)
        guard user.state == .registered else { throw user.wrongState }
        let pending = try beginLogin(
            of: user, announcing: accessCode.map { MPinClient.accessCode($0) }, until: deadline())
        try requireNotRevoked(pending)
        return pending
    }

    /// Begins the login of a registration that may not be in the list, such as one whose new PIN has to prove itself.
    mutating func beginLogin(
        of user: User, announcing accessCode: ByteText? = nil, until deadline: Deadline
    ) throws(MPinError) -> PendingAuthentication {
        let cache = CachedLogin.read(mpinID: try user.requireMPinID(), from: store)
        switch user.registration {
        case .device:
            guard let backend, let transport else { throw MPinClient.noServer }
            let server = DeviceServer(backend: backend, transport: transport)
            transport.announce(
                user, to: accessCode, at: backend.url(path: CodeStatusRequest.path.text), until: deadline)
            return PendingAuthentication(
                user, .device(DeviceLogin(server: server, cache: cache, tpm: options.tpmDevice)))
        case nil: throw user.wrongState
        case .milagro:
            if server == nil { rpsPrefix = user.record.rpsPrefix ?? MPinClient.standardPrefix }
            if server == nil, let backend, let transport, let settings = cache.record.settings {
                server = Server(backend, transport, rpsPrefix, cached: settings, day: cache.record.settingsDay)
            }
            let server = try server(deadline)
            server.transport.announce(user, to: accessCode, at: try? server.url(.codeStatusURL), until: deadline)
            let login = MilagroLogin(user, server, cache)
            do throws(MPinError) { try login.obtainPermit(in: store, until: deadline) } catch {
                note(error, of: user, in: cache)
                throw error
            }
            return PendingAuthentication(user, .milagro(login))
        }
    }
}

extension MPinClient {
    /// Logs in with a PIN.
    ///
    /// Success means that the server verified token and PIN together, that its last answer was 200 with a valid body,
    /// and that this answer named no other identity. If the registration has a device key, its server's key has signed
    /// this answer.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: INCORRECT_PIN for a wrong PIN; after the last try the user is BLOCKED. Without a request:
    ///   PIN_INPUT_CANCELED for an empty PIN, INCORRECT_PIN for a PIN with the wrong number of digits.
    ///
    /// Milagro: `FinishAuthentication`
    @inline(never)
    @discardableResult
    public mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> AuthenticationResult {
        try requireHere(pending.user)
        return AuthenticationResult(login: try logIn(pending, as: pending.user, pin: pin, .login))
    }

    /// Logs in and has the server issue a one-time password, to be typed elsewhere.
    ///
    /// Times arrive in milliseconds and are returned in seconds.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the one-time password. Its ``OTP/status`` is FLOW_ERROR if the login succeeded but the server issued
    ///   no password. As in Milagro's SDK, that is a status in the result: a thrown error would mean that the login
    ///   failed.
    /// - Throws: as ``finishAuthentication(_:pin:)``. A failed login returns no one-time password, even if the server
    ///   sent one.
    ///
    /// Milagro: `FinishAuthenticationOTP`
    public mutating func finishAuthenticationOTP(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> OTP {
        try requireHere(pending.user)
        let login = try logIn(pending, as: pending.user, pin: pin, .oneTimePassword)
        guard let otp = login.otp, let times = login.answer.otpTimes else {
            return OTP(status: .flowError, otp: "", expireTime: 0, ttlSeconds: 0, nowTime: 0)
        }
        return OTP(
            status: .ok, otp: ByteText(otp).string, expireTime: times.expireMilliseconds / 1000,
            ttlSeconds: times.ttlSeconds, nowTime: times.nowMilliseconds / 1000)
    }

    /// Logs in at a platform that gives the application a code, which the application's back end redeems.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the authorization code.
    /// - Throws: as ``finishAuthentication(_:pin:)``, and RESPONSE_PARSE_ERROR if the answer has no code.
    ///
    /// Milagro: `FinishAuthenticationMFA`
    public mutating func finishAuthenticationMFA(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> String {
        try requireHere(pending.user)
        let answer = try logIn(pending, as: pending.user, pin: pin, .login).answer
        guard let code = answer.text(.code), !code.isEmpty else {
            throw MPinError(
                .responseParseError, "The server returned no authorization code.",
                pinChecked: Endpoint.authenticate.pinChecked(.understood))
        }
        return code.string
    }
}

extension MPinClient {
    /// Proves a PIN for a purpose, and stores what the server's answer reveals.
    ///
    /// - Parameter user: the pending user, or a copy of the registration whose new token still has to prove itself.
    mutating func logIn(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, _ purpose: DirectPurpose
    ) throws(MPinError) -> AcceptedLogin {
        guard user.state == .registered else { throw user.wrongState }
        guard !pin.isEmpty else { throw MPinError(.pinInputCanceled, "No PIN was given.") }
        if let length = user.pinLength, !pin.isDigits(count: sendsEveryPIN ? PIN.digits : length...length) {
            // Such a PIN cannot be right, so no attempt is used on it.
            throw MPinError(.incorrectPIN, "The PIN has the wrong number of digits. Nothing was sent.")
        }
        let login: AcceptedLogin
        do throws(MPinError) { login = try prove(pending, as: user, pin: pin, purpose) } catch {
            learn(from: error, pending)
            throw error
        }
        // A new PIN that proves itself has no wrong PINs to report: the old PIN has just logged in.
        let wrong = user === pending.user ? login.answer.wrongSinceLastLogin : user.wrongSinceLastLogin
        let left = login.answer.attemptsLeft
        if user.attemptsLeft != left || user.lastRefusal != nil || user.wrongSinceLastLogin != wrong {
            (user.attemptsLeft, user.wrongSinceLastLogin) = (left, wrong)
            user.forgetRefusal()
            pending.cache.change { login in
                (login.attemptsLeft, login.wrongSinceLastLogin) = (left, wrong)
                login.forgetRefusal()
            }
        }
        pending.cache.write(to: store)
        forgetAttempts(at: user)
        user.awaitsFirstLogin = false
        return login
    }

    /// Proves the PIN in the way that was chosen when the login began.
    private func prove(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, _ purpose: DirectPurpose
    ) throws(MPinError) -> AcceptedLogin {
        let deadline = deadline(of: purpose)
        switch (pending.method, user.registration) {
        case (.device(let login), .device(let device)?) where pending.isCurrent(for: user):
            return try login.prove(user, device, pin: pin, purpose, until: deadline)
        case (.milagro(let login), .milagro?) where pending.isCurrent(for: user):
            guard let final = FinalCall(purpose) else { throw MPinClient.needsDeviceKey }
            return try login.prove(as: user, pin: pin, final, in: store, until: deadline)
        default: throw MPinError(.flowError, "Another process has changed this registration: start the login again.")
        }
    }

    /// The deadline of a login that begins now. A server may delay the answer to one with an access number until the
    /// other side is signed in.
    private func deadline(of purpose: DirectPurpose) -> Deadline {
        let longestHold = 10_000
        guard case .session = purpose, overallDeadline == nil else { return deadline() }
        return deadline(milliseconds: longestHold + options.timeoutMilliseconds)
    }

    static var needsDeviceKey: MPinError {
        MPinError(.flowError, "This needs a registration with a device key: recover it at a server that offers keys.")
    }

    /// Stores what a failed login reveals: a block in the registration, everything else for the next prompt.
    private mutating func learn(from error: MPinError, _ pending: borrowing PendingAuthentication) {
        let user = pending.user
        note(error, of: user, in: pending.cache)
        if case .milagro(let login) = pending.method { login.doubtSettings(after: error) }
        let isJudged = error.code == .incorrectPIN && error.pinChecked == .yes
        let isBlocked = error.isBlock
        if isJudged || error.attemptsLeft != nil {
            user.attemptsLeft = isBlocked ? 0 : error.attemptsLeft
            pending.cache.change { $0.attemptsLeft = user.attemptsLeft }
        }
        if isJudged, user.lastRefusal != nil {
            // The server accepts again what it had refused permanently.
            user.forgetRefusal()
            pending.cache.change { $0.forgetRefusal() }
        }
        pending.cache.write(to: store)
        guard isBlocked else { return }
        user.state = .blocked
        // A failure to store the block changes nothing: the server reports it again at the next try.
        if isListed(user) { do throws(MPinError) { try writeBlock(of: user) } catch {} }
    }

    /// Stores that a registration is blocked, unless another process has replaced the registration or its token.
    private mutating func writeBlock(of user: User) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            guard try client.reconcile(user) else { return }
            user.state = .blocked
            try client.stored { store throws(StoreError) in try RecordFile.write(user, to: store) }
        }
    }

    /// Remembers a permanent refusal, for the account phase and for status displays.
    @inline(never)
    func note(_ error: MPinError, of user: User, in cache: CachedLogin) {
        guard MPinStatus.lasting.contains(error.code) else { return }
        user.lastRefusal = error.code
        let shown = error.refusalReason.map { VisibleText.sanitized($0, limit: 200) }.flatMap { $0.isEmpty ? nil : $0 }
        user.refusalReasonText = shown
        let now = Int(mpin_wall_seconds())
        user.refusalTime = now
        cache.change { ($0.refusal, $0.reason, $0.refusalTime) = (error.code.word.text, shown, now) }
        cache.write(to: store)
    }
}

/// A started login, with the time permit if it needs one.
///
/// One start may be followed by several ``MPinClient/finishAuthentication(_:pin:)`` calls, for example after a mistyped
/// PIN. It holds no lock: while it is kept, this client and other processes can go on.
public struct PendingAuthentication: ~Copyable {
    /// How the login proves the PIN. The registration's record decides it.
    enum Method {
        case device(DeviceLogin)
        case milagro(MilagroLogin)
    }

    /// The stored values. Behind a reference, because they are long and passed through all steps of a login.
    private final class Storage {
        let user: User
        let method: Method

        init(_ user: User, _ method: Method) { (self.user, self.method) = (user, method) }
    }

    private let storage: Storage

    init(_ user: User, _ method: Method) { storage = Storage(user, method) }

    /// The user who is logging in.
    public var user: User { storage.user }

    var method: Method { storage.method }

    /// Changes when a login with a permit started, in seconds since 1970 by this machine's clock. Only tests need this:
    /// they cannot wait for another day.
    package func setStart(_ seconds: Int64) { if case .milagro(let login) = method { login.startedAt = seconds } }

    /// Whether the user still has the registration of the start: a permit belongs to its M-Pin ID.
    func isCurrent(for user: User) -> Bool {
        #if hasFeature(Embedded)
        true  // The module starts each login once.
        #else
        user.record.mpinID == cache.record.mpinID
        #endif
    }

    /// The data of the registration's last contact.
    var cache: CachedLogin {
        switch method {
        case .device(let login): login.cache
        case .milagro(let login): login.cache
        }
    }
}
