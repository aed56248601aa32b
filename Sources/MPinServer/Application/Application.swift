internal import MPinCrypto
internal import MPinWire

/// The application people log in to: it redeems handles of results, and tells who logged in.
struct Application: Sendable {
    let results: Results
    let waitingRoom: WaitingRoom
    let webSessions: WebSessions
    let passwords: OneTimePasswords
    /// Bounds how many one-time passwords a source guesses.
    let passwordGuesses: Throttle
    let store: Store
    let audit: Audit
    let serverID: [UInt8]
    let cookie: SessionCookie
    let origin: SameOrigin
    let configuration: Configuration
    let clock: ServerClock

    /// The final step of a login: of a device for itself, or of a waiting session that a device has let in.
    func authenticate(_ request: AuthenticateRequest, _ question: Request) throws -> Response {
        let handle = request.authOTT.bytes
        guard let login = results.take(handle, at: clock.monotonic()) else {
            return try enter(handle, question)
        }
        var times: OneTimePasswordTimes?
        let user: String
        switch login.purpose {
        case .session:
            // A wrong PIN is told as one wherever its result is presented.
            _ = try verified(login, source: question.source)
            throw Refusal.noSuchNumber
        case .login: user = try verified(login, source: question.source)
        case .password(let digits):
            user = try verified(login, source: question.source)
            times = issue(digits, user: user, registration: login.hash, source: question.source)
        }
        audit.add(AuditEvent(.login, at: clock.now, user: user, source: question.source.text, actor: user))
        return .json(
            AuthenticateResponse.encode(
                userID: user, serverID: HexText(bytes: serverID), message: "Authentication successful", otpTimes: times,
                wrongSinceLastLogin: login.verdict.wrongBefore))
    }

    /// The same, and then revokes a registration of the user who logged in.
    func revoke(_ request: AuthenticateRequest, source: Source) throws -> [UInt8] {
        guard let mpinID = request.revoke else { throw Refusal(400, "Invalid data received. revoke argument missing") }
        guard let login = results.take(request.authOTT.bytes, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        let user = try verified(login, source: source)
        if case .session = login.purpose { throw Refusal.noSuchNumber }
        let now = clock.now
        let hash = try Hash.sha256(mpinID.bytes)
        let revoked: Bool?
        do throws(ServerFault) {
            revoked = try store.revoke(
                hash, user: user, now: now.seconds,
                event: { number in
                    AuditEvent(
                        .revoked, at: now, user: user, source: source.text, actor: user, detail: "device \(number)")
                })
        } catch {
            // Nothing was done with the login, so it can be shown again.
            results.add(login, handle: request.authOTT.bytes, at: clock.monotonic())
            throw error
        }
        guard revoked != nil else { throw Refusal(404, "No such registration of this user") }
        return AuthenticateResponse.encode(
            userID: user, serverID: HexText(bytes: serverID), revoked: true, message: "Revoked")
    }

    /// The user behind a verified login. What was revoked or blocked since then is refused.
    func verified(_ login: JudgedLogin, source: Source) throws -> String {
        switch login.verdict {
        case .wrong(let attemptsLeft) where attemptsLeft > 0:
            throw Refusal(401, "Wrong PIN.", attemptsLeft: attemptsLeft)
        case .stranger: throw Refusal(401, "Wrong PIN.")
        case .wrong, .blocked: throw Refusal(410, "Wrong PIN.", attemptsLeft: 0)
        case .revoked: throw Refusal(403, "Revoked")
        case .right(let user, _):
            try demandGood(login.hash, user: user, source: source)
            return user
        }
    }

    /// Refuses a registration that was revoked or blocked.
    func demandGood(_ hash: [UInt8], user: String, source: Source) throws {
        guard let registration = try store.registration(hash), registration.revoked == nil else {
            audit.note(.refused, at: clock.now, user: user, source: source, detail: "revoked")
            throw Refusal(403, "Revoked")
        }
        guard registration.failures < configuration.maxInvalidLoginAttempts else {
            audit.note(.refused, at: clock.now, user: user, source: source, detail: "blocked")
            throw Refusal(410, "Wrong PIN.", attemptsLeft: 0)
        }
    }
}
