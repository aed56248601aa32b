// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The calls that redeem the handle of a login by two passes. Each handle is redeemed once.
struct FinalCalls: ServerComponent {
    let context: ServerContext
    let results: LoginResults
    let application: Application
    let owner: OwnerService

    /// The final step of a login: of a device for itself, or of a waiting session that a device has approved.
    func authenticate(_ message: AuthenticateRequest, _ request: Request) throws -> Response {
        let handle = message.authOTT.bytes
        guard let result = results.take(handle, at: clock.monotonic()) else {
            return try application.redeemApproval(handle, request)
        }
        // A wrong PIN is reported as such wherever its result is presented.
        let login = try verified(result, source: request.source)
        switch result.purpose {
        case .session: throw Refusal.noSuchNumber
        case .login: return .json(application.answer(to: login))
        case .password(let digits): return .json(application.answer(to: login, password: digits))
        }
    }

    /// Approves a session with a login, and waits until the session has redeemed it.
    ///
    /// A login that was not for a session, or that was too late for it, is consumed as well. A wrong PIN is reported as
    /// such regardless of the number, because it was counted.
    func authenticateNumber(_ message: AuthenticateRequest, source: RequestSource) throws -> RouteResult {
        guard let result = results.take(message.authOTT.bytes, at: clock.monotonic()) else {
            throw Refusal.noSuchNumber
        }
        let login = try verified(result, source: source)
        guard case .session(let session) = result.purpose else { throw Refusal.noSuchNumber }
        return try application.approve(session, by: login)
    }

    func revoke(_ message: AuthenticateRequest, source: RequestSource) throws -> Response {
        guard let mpinID = message.revoke else { throw Refusal(400, "Invalid data received. revoke argument missing") }
        return try redeem(message.authOTT, source: source) { login, purpose in
            if case .session = purpose { throw Refusal.noSuchNumber }
            return try application.revoke(mpinID, by: login)
        }
    }

    func answer(_ request: OwnerRequest, source: RequestSource) throws -> Response {
        try redeem(request.authOTT, source: source) { login, purpose in
            guard case .login = purpose else { throw Refusal.noSuchNumber }
            return try owner.answer(request.action, by: login)
        }
    }

    private func redeem(
        _ handle: HexText, source: RequestSource, _ work: (VerifiedLogin, LoginPurpose) throws -> [UInt8]
    ) throws -> Response {
        guard let result = results.take(handle.bytes, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        let login = try verified(result, source: source)
        do { return .json(try work(login, result.purpose)) } catch let fault as ServerError {
            // The login was not used for anything, so the client may present it again.
            results.add(result, handle: handle.bytes, at: clock.monotonic())
            throw fault
        }
    }

    /// The login behind the result of a pass 2. A registration that was revoked or blocked since then is refused.
    private func verified(_ result: PassTwoResult, source: RequestSource) throws -> VerifiedLogin {
        switch result.verdict {
        case .wrong(let attemptsLeft): throw Refusal.wrongPIN(attemptsLeft: attemptsLeft)
        case .unregistered: throw Refusal(401, "Wrong PIN.")
        case .blocked: throw Refusal.wrongPIN(attemptsLeft: 0)
        case .revoked: throw Refusal(403, "Revoked")
        case .right(let user, let history):
            let registration = try application.good(result.hash, user: user, source: source)
            guard takesPasses(registration) else { throw Refusal(401, "Wrong PIN.") }
            return VerifiedLogin(
                user: user, registration: result.hash, history: history, source: source, guesser: source)
        }
    }
}
