// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Cross-device login: opens sessions that wait for a login on a device, and reports their progress.
struct CrossDeviceLogin: ServerComponent {
    let context: ServerContext
    let sessions: CrossDeviceSessions
    let hosts: Hosts
    let origin: SameOrigin

    private var seconds: Int { configuration.accessNumberSeconds }

    func open(_ kind: SessionCode, _ request: Request) throws -> AccessNumberResponse {
        let requester = try requester(request)
        let now = clock.monotonic()
        guard sessions.hasRoom(for: requester, at: now) else {
            throw Refusal(503, "Too many sign-in requests are waiting")
        }
        for _ in 0..<64 {
            let session = CrossDeviceSession(
                code: try kind.generate(), webOTT: try Random.bytes(OneTimeToken.size), requester: requester,
                challenge: try Random.bytes(OneTimeToken.size), expires: now + .seconds(seconds))
            guard sessions.add(session, at: now) else { continue }
            return AccessNumberResponse(
                name: kind == .number ? .number(session.code) : .url("\(context.publicURL)#\(session.code)"),
                webOTT: HexText(bytes: session.webOTT), ttlSeconds: seconds,
                startMilliseconds: Int(clock.now.milliseconds))
        }
        throw Refusal(503, "Too many sign-in requests are waiting")
    }

    /// The progress of a session, for the waiting side.
    func poll(_ request: AccessPollRequest, source: RequestSource) throws -> AccessPollResponse? {
        let now = clock.monotonic()
        if let progress = sessions.progress(request.webOTT.bytes, at: now) { return progress }
        try demand(limits.polls, source)
        limits.polls.charge(source, at: now)
        return nil
    }

    /// Records the progress that a device reports for a code, and answers with the requester of the session.
    ///
    /// - Returns: the body of the answer. It shows which codes are valid, so invalid ones are charged to the source.
    func codeStatus(_ request: CodeStatusRequest, source: RequestSource) throws -> [UInt8] {
        let now = clock.monotonic()
        try demand(limits.numbers, source)
        if request.denies { return try deny(request.code, source: source) }
        if let user = request.userID, !UserName.isValid(user) {
            throw Refusal(400, "Invalid data received. userId argument invalid")
        }
        guard let session = sessions.note(request.code, user: request.userID, at: now) else {
            chargeInvalidCode(source)
            return SessionDetailsResponse.acknowledgement()
        }
        guard request.userID == nil else { return SessionDetailsResponse.acknowledgement() }
        return details(of: session)
    }

    private func details(of session: CrossDeviceSession) -> [UInt8] {
        SessionDetailsResponse(
            appName: configuration.serviceName, appLogoURL: configuration.serviceLogoURL, requester: session.requester,
            challenge: HexText(bytes: session.challenge)
        ).encode()
    }

    /// Ends a session without a login. A client that has its code could sign it in, and may therefore end it. Guesses
    /// are charged like guesses for a login.
    private func deny(_ code: String, source: RequestSource) throws -> [UInt8] {
        guard sessions.deny(code, at: clock.monotonic()) else {
            chargeInvalidCode(source)
            throw Refusal.noSuchNumber
        }
        audit.note(.denied, user: nil, source: source)
        return SessionDetailsResponse.acknowledgement()
    }

    /// The ID of the session with a code; nil for an invalid code, which is charged to the source.
    ///
    /// - Parameter details: the digest of the details that the user was shown; nil if the device showed none. A session
    ///   with other details is not the one that the user meant.
    func sessionID(of code: String, details: [UInt8]? = nil, source: RequestSource) throws -> Int? {
        let now = clock.monotonic()
        try demand(limits.numbers, source)
        guard let (id, session) = sessions.open(code, at: now) else {
            chargeInvalidCode(source)
            return nil
        }
        guard let details else { return id }
        return try Hash.sha256(self.details(of: session)) == details ? id : nil
    }

    func chargeInvalidCode(_ source: RequestSource) { charge(limits.numbers, source, guessed: .accessNumber) }

    /// The requester of a session. A host that presents its secret may name the account, the service and the address of
    /// the request. For any other client only the source is recorded.
    private func requester(_ request: Request) throws -> SessionRequester {
        guard let host = try host(request) else {
            // CSRF: a page of another origin could use up the sessions that its visitors may open.
            guard origin.allows(request) else { throw Refusal.otherOrigin }
            try demand(limits.sessions, request.source)
            limits.sessions.charge(request.source, at: clock.monotonic())
            return SessionRequester(
                host: nil, account: nil, service: nil, address: request.source.text, isVerified: false)
        }
        let said: SessionRequest
        do throws(WireError) { said = try SessionRequest.decode(request.body.span) } catch {
            throw Refusal.badInput(error, status: 400)
        }
        for text in [said.account, said.service, said.address] {
            if let text, !UserName.isDistinct(text) { throw Refusal(400, "Invalid account, service or address") }
        }
        return SessionRequester(
            host: host, account: said.account, service: said.service, address: said.address, isVerified: true)
    }

    /// The host whose secret a request has; nil if the request has none.
    ///
    /// - Throws: ``Refusal`` 401 if the secret does not belong to a host.
    func host(_ request: Request) throws -> String? {
        guard let secret = Self.bearer(request) else { return nil }
        if let name = try hosts.name(secret) { return name }
        try demand(limits.numbers, request.source)
        chargeInvalidCode(request.source)
        throw Refusal(401, "Unknown host secret")
    }

    /// The secret in an `Authorization: Bearer` header; nil without a header of this scheme.
    private static func bearer(_ request: Request) -> String? {
        guard let header = request.header("authorization") else { return nil }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.first?.lowercased() == "bearer" else { return nil }
        return words.count > 1 ? String(words[1]) : ""
    }
}
