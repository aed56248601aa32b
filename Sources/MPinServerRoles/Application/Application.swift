// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The application that users log in to. It redeems the handles of login results, and reports who has logged in.
struct Application: ServerComponent {
    let context: ServerContext
    let results: LoginResults
    let crossDevice: CrossDeviceLogin
    let webSessions: WebSessions
    let passwords: OneTimePasswords
    let cookie: SessionCookie
    let origin: SameOrigin

    var serverID: HexText { HexText(bytes: context.serverID) }

    /// The final step of a login: of a device for itself, or of a waiting session that a device has approved.
    func authenticate(_ message: AuthenticateRequest, _ request: Request) throws -> Response {
        let handle = message.authOTT.bytes
        guard let result = results.take(handle, at: clock.monotonic()) else {
            return try redeemApproval(handle, request)
        }
        // A wrong PIN is reported as such wherever its result is presented.
        let login = try verified(result, newKey: message.binding, source: request.source)
        if let binding = message.binding { try bind(binding, to: result, handle: handle, by: login) }
        switch result.purpose {
        case .session: throw Refusal.noSuchNumber
        case .login: return .json(answer(to: login))
        case .password(let digits): return .json(answer(to: login, password: digits))
        }
    }

    /// The answer to a login of a device for itself.
    ///
    /// - Parameters:
    ///   - password: the digits of a one-time password that is valid from now on.
    ///   - tellsPassword: whether the answer contains them. After two passes the device already has them.
    func answer(to login: VerifiedLogin, password: [UInt8]? = nil, tellsPassword: Bool = false) -> [UInt8] {
        let times = password.flatMap { issue($0, to: login) }
        audit.addLogin(login.event(.login(.device), at: clock.now), of: login.registration)
        return AuthenticateResponse.encode(
            userID: login.user, serverID: serverID, message: "Authentication successful",
            otp: tellsPassword && times != nil ? password : nil, otpTimes: times,
            wrongSinceLastLogin: login.history.wrongBefore, attemptsLeft: login.history.left)
    }

    /// Redeems the handle of a login, and revokes a registration of the user who logged in.
    func revoke(_ message: AuthenticateRequest, source: RequestSource) throws -> [UInt8] {
        guard let mpinID = message.revoke else { throw Refusal(400, "Invalid data received. revoke argument missing") }
        return try redeem(message.authOTT, source: source) { login, purpose in
            if case .session = purpose { throw Refusal.noSuchNumber }
            return try revoke(mpinID, by: login)
        }
    }

    /// Redeems the handle of a login for something else than a session.
    func redeem(
        _ handle: HexText, source: RequestSource, _ work: (VerifiedLogin, LoginPurpose) throws -> [UInt8]
    ) throws -> [UInt8] {
        guard let result = results.take(handle.bytes, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        let login = try verified(result, source: source)
        do {
            return try work(login, result.purpose)
        } catch let fault as ServerError {
            // The login was not used for anything, so the client may present it again.
            results.add(result, handle: handle.bytes, at: clock.monotonic())
            throw fault
        }
    }

    /// Revokes a registration of the user who has logged in.
    func revoke(_ mpinID: HexText, by login: VerifiedLogin) throws -> [UInt8] {
        let now = clock.now
        let revoked = try store.revokeRegistration(
            Hash.sha256(mpinID.bytes), user: login.user, now: now.seconds,
            event: { login.event(.revokedByOwner(device: $0), at: now) })
        guard revoked != nil else { throw Refusal(404, "No such registration of this user") }
        return AuthenticateResponse.encode(
            userID: login.user, serverID: serverID, revoked: true, message: "Revoked",
            attemptsLeft: login.history.left)
    }

    /// The login behind the result of a pass 2. A registration that was revoked or blocked since then is refused. One
    /// that got a key since then is treated as unknown.
    ///
    /// - Parameter newKey: the key that the registration is to get with this request.
    func verified(
        _ result: PassTwoResult, newKey: DeviceBinding? = nil, source: RequestSource
    ) throws -> VerifiedLogin {
        switch result.verdict {
        case .wrong(let attemptsLeft): throw Refusal.wrongPIN(attemptsLeft: attemptsLeft)
        case .unregistered: throw Refusal(401, "Wrong PIN.")
        case .blocked: throw Refusal.wrongPIN(attemptsLeft: 0)
        case .revoked: throw Refusal(403, "Revoked")
        case .right(let user, let history):
            let registration = try good(result.hash, user: user, source: source)
            guard takesPasses(registration) || registration.deviceKey != nil && newKey != nil else {
                throw Refusal(401, "Wrong PIN.")
            }
            return VerifiedLogin(
                user: user, registration: result.hash, history: history, source: source, guesser: source)
        }
    }

    /// A registration that is neither revoked nor blocked.
    @discardableResult
    func good(_ hash: [UInt8], user: String, source: RequestSource) throws -> RegistrationRecord {
        guard let registration = try store.registration(hash), registration.revoked == nil else {
            audit.add(AuditEvent(.refused(.revoked), at: clock.now, user: user, source: source.text))
            throw Refusal(403, "Revoked")
        }
        guard registration.failures < configuration.maxInvalidLoginAttempts else {
            audit.add(AuditEvent(.refused(.blocked), at: clock.now, user: user, source: source.text))
            throw Refusal.wrongPIN(attemptsLeft: 0)
        }
        return registration
    }
}
