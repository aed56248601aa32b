internal import MPinCrypto
internal import MPinWire

/// The two passes of a login.
struct Logins: Sendable {
    let open: OpenLogins
    let judge: Judge
    let results: Results
    let throttle: Throttle
    let audit: Audit
    let clock: ServerClock

    /// Takes a client's commitment and gives it a challenge. Any identity gets one: what is known here shows nowhere.
    func passOne(_ request: PassOneRequest, source: Source) throws -> PassOneResponse {
        guard let ut = request.ut else {
            throw Refusal(403, "Invalid data received. Logins need a time permit: UT is empty")
        }
        guard PointCheck.isG1(request.u) else { throw Refusal(403, "Invalid data received. U is not a point") }
        guard PointCheck.isG1(ut) else { throw Refusal(403, "Invalid data received. UT is not a point") }
        let now = clock.monotonic()
        let login = OpenLogin(
            passID: try Random.bytes(OneTimeToken.size), u: request.u, ut: ut, y: try Challenge.generate(),
            source: source, expires: now + OpenLogins.lifetime)
        open.add(login, hash: try Hash.sha256(request.mpinID.bytes), at: now)
        return PassOneResponse(y: login.y, passID: HexText(bytes: login.passID))
    }

    /// Takes the answer to a challenge and judges it; what came out is told only to whoever asks with the handle.
    func passTwo(_ request: PassTwoRequest, source: Source) throws -> PassTwoResponse {
        guard PointCheck.isG1(request.v) else { throw Refusal(403, "Invalid data received. V is not a point") }
        guard throttle.allows(source, at: clock.monotonic()) else { throw Refusal.throttled }
        let identity = try Identity(mpinID: request.mpinID.bytes)
        guard let verdict = try judge.judge(request, identity: identity, source: source, clock: clock) else {
            throw Refusal(500, "Invalid pass one data")
        }
        charge(verdict, source: source)
        let handle = try Random.bytes(OneTimeToken.size)
        results.add(verdict, hash: identity.hash, handle: handle, at: clock.monotonic())
        return PassTwoResponse(authOTT: HexText(bytes: handle))
    }

    /// Charges a source for what it got wrong; not for coming back to a registration that is blocked already.
    private func charge(_ verdict: Verdict, source: Source) {
        switch verdict {
        case .wrong, .stranger, .noSuchNumber:
            if throttle.charge(source, at: clock.monotonic()) {
                audit.note(.throttled, at: clock.now, user: nil, source: source, detail: nil)
            }
        case .right, .blocked, .revoked: break
        }
    }
}
