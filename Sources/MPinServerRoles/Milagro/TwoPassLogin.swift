// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

struct TwoPassLogin: ServerComponent {
    let context: ServerContext
    let pending: PendingLogins
    let loginVerifier: LoginVerifier
    let results: LoginResults
    let crossDevice: CrossDeviceLogin

    /// Takes a client's commitment and answers with a challenge. Every identity gets one, so that the answer does not
    /// show whether it is registered.
    func passOne(_ request: PassOneRequest, source: RequestSource) throws -> PassOneResponse {
        guard let ut = request.ut else {
            throw Refusal(403, "Invalid data received. Logins need a time permit: UT is empty")
        }
        guard PointCheck.isG1(request.u) else { throw Refusal(403, "Invalid data received. U is not a point") }
        guard PointCheck.isG1(ut) else { throw Refusal(403, "Invalid data received. UT is not a point") }
        let now = clock.monotonic()
        let login = PendingLogin(
            passID: try Random.bytes(OneTimeToken.size), u: request.u, ut: ut, y: try Challenge.generate(),
            source: source, expires: now + PendingLogins.lifetime)
        pending.add(login, hash: try Hash.sha256(request.mpinID.bytes), at: now)
        return PassOneResponse(y: login.y, passID: HexText(bytes: login.passID))
    }

    /// Takes the answer to a challenge and verifies it. Only the request that presents the handle gets the verdict.
    func passTwo(_ request: PassTwoRequest, source: RequestSource) throws -> PassTwoResponse {
        guard PointCheck.isG1(request.v) else { throw Refusal(403, "Invalid data received. V is not a point") }
        let purpose = try purpose(of: request, source: source)
        let identity = try Identity(mpinID: request.mpinID.bytes)
        let verdict = try loginVerifier.verify(
            request, of: pending, identity: identity, isTaken: configuration.acceptsMilagro, source: source,
            clock: clock)
        guard let verdict else { throw Refusal(500, "Invalid pass one data") }
        try charge(verdict, source: source)
        let handle = try Random.bytes(OneTimeToken.size)
        results.add(
            PassTwoResult(verdict: verdict, hash: identity.hash, purpose: purpose), handle: handle,
            at: clock.monotonic())
        // A client that requests a one-time password gets digits in any case. They are valid only after a right answer.
        let digits: [UInt8]? =
            if case .password(let digits) = purpose { digits } else { request.wantsOTP ? try Random.digits(6) : nil }
        return PassTwoResponse(authOTT: HexText(bytes: handle), otp: digits)
    }

    /// What a login is for. The code is resolved now, so that it cannot refer to one that is issued later.
    private func purpose(of request: PassTwoRequest, source: RequestSource) throws -> LoginPurpose {
        if let code = request.session { return .session(try crossDevice.sessionID(of: code.string, source: source)) }
        return request.wantsOTP ? .password(try Random.digits(6)) : .login
    }

    /// Limits how many unregistered identities a source tries. Registered ones are limited only by their own count of
    /// wrong PINs, because other clients behind the same proxy, network or socket must not be able to lock out the
    /// owner.
    private func charge(_ verdict: LoginVerdict, source: RequestSource) throws {
        guard case .unregistered = verdict else { return }
        try demand(limits.identities, source)
        charge(limits.identities, source)
    }
}
