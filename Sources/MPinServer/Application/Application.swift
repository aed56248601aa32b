internal import MPinCrypto
internal import MPinWire

/// The application that users log in to: it redeems the handles of login results, and tells who logged in.
struct Application: ServerComponent {
    let context: ServerContext
    let results: LoginResults
    let crossDevice: CrossDeviceLogin
    let webSessions: WebSessions
    let passwords: OneTimePasswords
    let cookie: SessionCookie
    let origin: SameOrigin

    var serverID: HexText { HexText(bytes: context.serverID) }

    /// The final step of a login: of a device for itself, or of a waiting session that a device has let in.
    func authenticate(_ message: AuthenticateRequest, _ request: Request) throws -> Response {
        let handle = message.authOTT.bytes
        guard let login = results.take(handle, at: clock.monotonic()) else {
            return try redeemApproval(handle, request)
        }
        var times: OneTimePasswordTimes?
        let user: String
        switch login.purpose {
        case .session:
            // A wrong PIN is told as one wherever its result is presented.
            _ = try verified(login, source: request.source)
            throw Refusal.noSuchNumber
        case .login: user = try verified(login, source: request.source)
        case .password(let digits):
            user = try verified(login, source: request.source)
            times = issue(digits, user: user, registration: login.hash, source: request.source)
        }
        audit.add(AuditEvent(.login, at: clock.now, user: user, source: request.source.text, actor: user))
        return .json(
            AuthenticateResponse.encode(
                userID: user, serverID: serverID, message: "Authentication successful", otpTimes: times,
                wrongSinceLastLogin: login.verdict.wrongBefore))
    }

    /// The same, and then revokes a registration of the user who logged in.
    func revoke(_ message: AuthenticateRequest, source: RequestSource) throws -> [UInt8] {
        guard let mpinID = message.revoke else { throw Refusal(400, "Invalid data received. revoke argument missing") }
        guard let login = results.take(message.authOTT.bytes, at: clock.monotonic()) else {
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
            results.add(login, handle: message.authOTT.bytes, at: clock.monotonic())
            throw error
        }
        guard revoked != nil else { throw Refusal(404, "No such registration of this user") }
        return AuthenticateResponse.encode(
            userID: user, serverID: serverID, revoked: true, message: "Revoked")
    }

    /// The user behind a verified login. What was revoked or blocked since then is refused.
    func verified(_ login: PassTwoResult, source: RequestSource) throws -> String {
        switch login.verdict {
        case .wrong(let attemptsLeft) where attemptsLeft > 0:
            throw Refusal(401, "Wrong PIN.", attemptsLeft: attemptsLeft)
        case .unregistered: throw Refusal(401, "Wrong PIN.")
        case .wrong, .blocked: throw Refusal(410, "Wrong PIN.", attemptsLeft: 0)
        case .revoked: throw Refusal(403, "Revoked")
        case .right(let user, _):
            try demandGood(login.hash, user: user, source: source)
            return user
        }
    }

    /// Refuses a registration that was revoked or blocked.
    func demandGood(_ hash: [UInt8], user: String, source: RequestSource) throws {
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
