internal import MPinCrypto
internal import MPinWire

/// Cross-device login: opens sessions that wait for a login on a device, and reports their progress.
struct CrossDeviceLogin: ContextService {
    let context: ServerContext
    let sessions: CrossDeviceSessions
    let hosts: Hosts
    let origin: SameOrigin

    /// Seconds a session waits.
    private var seconds: Int { configuration.accessNumberSeconds }

    /// Opens a session.
    func open(_ kind: SessionCode, _ request: Request) throws -> AccessNumberResponse {
        let requester = try requester(request)
        let now = clock.monotonic()
        guard sessions.hasRoom(isVerified: requester.isVerified, at: now) else {
            throw Refusal(503, "Too many sessions wait already")
        }
        for _ in 0..<64 {
            let session = CrossDeviceSession(
                code: try kind.generate(), webOTT: try Random.bytes(OneTimeToken.size), requester: requester,
                expires: now + .seconds(seconds))
            guard sessions.add(session, at: now) else { continue }
            return AccessNumberResponse(
                name: kind == .number ? .number(session.code) : .url("\(context.publicURL)#\(session.code)"),
                webOTT: HexText(bytes: session.webOTT), ttlSeconds: seconds,
                startMilliseconds: Int(clock.now.milliseconds))
        }
        throw Refusal(503, "Too many sessions wait already")
    }

    /// The progress of a session, for the waiting side.
    func poll(_ request: AccessPollRequest, source: RequestSource) throws -> AccessPollResponse? {
        let now = clock.monotonic()
        if let progress = sessions.progress(request.webOTT.bytes, at: now) { return progress }
        try demand(limits.polls, source)
        limits.polls.charge(source, at: now)
        return nil
    }

    /// Hears how far a device is, and tells it who asks.
    ///
    /// - Returns: the body of the answer. It tells which codes lead somewhere, so wrong ones are counted.
    func codeStatus(_ request: CodeStatusRequest, source: RequestSource) throws -> [UInt8] {
        let now = clock.monotonic()
        try demand(limits.numbers, source)
        if let user = request.userID, !UserName.isValid(user) {
            throw Refusal(400, "Invalid data received. userId argument invalid")
        }
        guard let requester = sessions.note(request.code, user: request.userID, at: now) else {
            chargeGuess(source)
            return SessionDetailsResponse.acknowledgement()
        }
        guard request.userID == nil else { return SessionDetailsResponse.acknowledgement() }
        return SessionDetailsResponse(
            appName: configuration.serviceName, appLogoURL: configuration.serviceLogoURL, requester: requester
        ).encode()
    }

    /// The session that a login's code leads to; nil for none. Wrong codes are counted.
    func number(of code: String, source: RequestSource) throws -> Int? {
        let now = clock.monotonic()
        try demand(limits.numbers, source)
        if let number = sessions.number(of: code, at: now) { return number }
        chargeGuess(source)
        return nil
    }

    /// Counts a code that led nowhere.
    func chargeGuess(_ source: RequestSource) { charge(limits.numbers, source, detail: "access numbers") }

    /// Who opens a session: a host that shows its secret may say for whom; of any other client only the source is
    /// known.
    private func requester(_ request: Request) throws -> SessionRequester {
        guard let secret = Self.bearer(request) else {
            // A page of others would use up what its visitors may open.
            guard origin.allows(request) else { throw Refusal.otherOrigin }
            try demand(limits.sessions, request.source)
            limits.sessions.charge(request.source, at: clock.monotonic())
            return SessionRequester(
                host: nil, account: nil, service: nil, address: request.source.text, isVerified: false)
        }
        guard let host = try hosts.name(secret) else {
            try demand(limits.numbers, request.source)
            chargeGuess(request.source)
            throw Refusal(401, "Unknown host secret")
        }
        let said: SessionRequest
        do throws(WireError) {
            said = try SessionRequest.decode(request.body.span)
        } catch {
            throw Refusal.badInput(error, status: 400)
        }
        for text in [said.account, said.service, said.address] {
            if let text, !UserName.isValid(text) { throw Refusal(400, "Invalid data received. Not a plain text") }
        }
        return SessionRequester(
            host: host, account: said.account, service: said.service, address: said.address, isVerified: true)
    }

    /// The secret of an `Authorization: Bearer` header; nil without one of this scheme.
    private static func bearer(_ request: Request) -> String? {
        guard let header = request.header("authorization") else { return nil }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.first?.lowercased() == "bearer" else { return nil }
        return words.count > 1 ? String(words[1]) : ""
    }
}
