internal import MPinCrypto
internal import MPinWire

/// The application people log in to: it redeems handles of results, and tells who logged in.
struct Application: Sendable {
    let results: Results
    let store: Store
    let audit: Audit
    let serverID: [UInt8]
    let limit: Int
    let clock: ServerClock

    /// The final step of a login.
    func authenticate(_ request: AuthenticateRequest, source: Source) throws -> AuthenticateResponse {
        let (user, _) = try redeem(request, source: source)
        audit.add(AuditEvent(.login, at: clock.now, user: user, source: source.text, actor: user))
        return AuthenticateResponse(
            userID: user, serverID: HexText(bytes: serverID), message: "Authentication successful")
    }

    /// The same, and then revokes a registration of the user who logged in.
    func revoke(_ request: AuthenticateRequest, source: Source) throws -> AuthenticateResponse {
        guard let mpinID = request.revoke else { throw Refusal(400, "Invalid data received. revoke argument missing") }
        let (user, _) = try redeem(request, source: source)
        let now = clock.now
        let revoked = try store.revoke(
            try Hash.sha256(mpinID.bytes), user: user, now: now.seconds,
            event: AuditEvent(.revoked, at: now, user: user, source: source.text, actor: user))
        guard revoked != nil else { throw Refusal(404, "No such registration of this user") }
        return AuthenticateResponse(
            userID: user, serverID: HexText(bytes: serverID), revoked: true, message: "Revoked")
    }

    /// The final step of a login by access number: there are none here, so nobody's is right.
    func authenticateNumber(_ request: AuthenticateRequest) throws -> AuthenticateResponse {
        _ = results.take(request.authOTT.bytes, at: clock.monotonic())
        throw Refusal(412, "Invalid or expired access number")
    }

    /// Takes the result behind a handle, once. What was revoked or blocked since then is refused.
    private func redeem(_ request: AuthenticateRequest, source: Source) throws -> (user: String, hash: [UInt8]) {
        guard let (verdict, hash) = results.take(request.authOTT.bytes, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        switch verdict {
        case .wrong(let attemptsLeft) where attemptsLeft > 0:
            throw Refusal(401, "Wrong PIN.", attemptsLeft: attemptsLeft)
        case .stranger: throw Refusal(401, "Wrong PIN.")
        case .wrong, .blocked: throw Refusal(410, "Wrong PIN.", attemptsLeft: 0)
        case .revoked: throw Refusal(403, "Revoked")
        case .noSuchNumber: throw Refusal(412, "Invalid or expired access number")
        case .right(let user):
            guard let registration = try store.registration(hash), registration.revoked == nil else {
                audit.note(.refused, at: clock.now, user: user, source: source, detail: "revoked")
                throw Refusal(403, "Revoked")
            }
            guard registration.failures < limit else {
                audit.note(.refused, at: clock.now, user: user, source: source, detail: "blocked")
                throw Refusal(410, "Wrong PIN.", attemptsLeft: 0)
            }
            return (user, hash)
        }
    }
}
