internal import MPinCrypto
internal import MPinWire

/// The public routes: functions from a request to a response. Private endpoints of the roles are calls, not routes.
struct Routes: Sendable {
    let settings: [UInt8]
    let page: Page
    let registrar: Registrar
    let permits: Permits
    let secondAuthority: Authority
    let logins: Logins
    let application: Application
    let waitingRoom: WaitingRoom
    /// Nil where no links verify.
    let activation: ActivationRoutes?
    /// Nil where no application of the site verifies.
    let hook: HookVerification?
    /// What this server says about itself; nil without a public address.
    let service: [UInt8]?
    let clock: ServerClock

    /// Answers a request.
    ///
    /// - Throws: ``Refusal``; any other error is the server's own failure.
    func outcome(of request: Request) throws -> Outcome {
        let segments = request.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
            .map { String(Substring($0)) }
        if request.method == "OPTIONS" { return .now(.empty) }
        // A page of others could make its visitors' browsers guess, and use up what their sources may do.
        if request.method == "POST" {
            let origin = application.origin
            guard segments == ["mpinActivate"] ? origin.allowsForm(request) : origin.allows(request) else {
                throw Refusal.otherOrigin
            }
        }
        if segments == ["rps", "authenticate"] {
            try allow(["POST"], request)
            return try application.authenticateNumber(authentication(request), source: request.source)
        }
        if segments == ["mpinActivate"], let activation {
            try allow(["GET", "HEAD", "POST"], request)
            return .now(try activation.response(to: request))
        }
        if let hook, let outcome = try hookOutcome(of: request, segments, hook) { return outcome }
        return .now(try response(to: request, segments))
    }

    func response(to request: Request, _ segments: [String]) throws -> Response {
        switch (segments.count, segments.first, segments.dropFirst().first) {
        case (2, "rps", "clientSettings"):
            try allow(["GET"], request)
            return .json(try seeded(settings))
        case (2, "rps", "user"):
            try allow(["PUT"], request)
            return .json(try registrar.register(registration(request), source: request.source).encode())
        case (3, "rps", "user"):
            try allow(["PUT"], request)
            let mpinID = try mpinID(segments[2])
            return .json(try registrar.restart(mpinID, registration(request), source: request.source).encode())
        case (3, "rps", "signature"):
            try allow(["GET"], request)
            let mpinID = try mpinID(segments[2])
            let query = try input(400) { () throws(WireError) in try SignatureQuery.decode(request.query) }
            return .json(try registrar.signature(mpinID, query, source: request.source))
        case (3, "rps", "timePermit"):
            try allow(["GET"], request)
            return .json(try permits.permit(mpinID(segments[2])))
        case (3, "rps", "setupDone"):
            try allow(["POST"], request)
            _ = try mpinID(segments[2])
            return .empty
        case (2, "rps", "pass1"):
            try allow(["POST"], request)
            let message = try input(403) { () throws(WireError) in try PassOneRequest.decode(request.body.span) }
            return .json(try logins.passOne(message, source: request.source).encode())
        case (2, "rps", "pass2"):
            try allow(["POST"], request)
            let message = try input(403) { () throws(WireError) in try PassTwoRequest.decode(request.body.span) }
            return .json(try logins.passTwo(message, source: request.source).encode())
        case (1, "mpinAuthenticate", _):
            try allow(["POST"], request)
            return try application.authenticate(authentication(request), request)
        case (1, "mpinRevoke", _):
            try allow(["POST"], request)
            return .json(try application.revoke(authentication(request), source: request.source))
        case (2, "dta", "clientSecret"):
            try allow(["GET"], request)
            return .json(try clientSecret(request))
        case (2, "dta", "timePermit"):
            try allow(["GET"], request)
            return .json(try timePermit(request))
        default:
            if let response = try waitingResponse(to: request, segments) { return response }
            if let response = page.response(to: request, segments) {
                try allow(["GET", "HEAD"], request)
                return response
            }
            throw Refusal.unknownPath
        }
    }

    /// The settings with random digits, without which the mobile web client of 2016 does not start. Others ignore them.
    private func seeded(_ settings: [UInt8]) throws -> [UInt8] {
        let seed = HexText(bytes: try Random.bytes(100)).string
        return settings.dropLast() + Array(",\"seedValue\":\"\(seed)\"}".utf8)
    }

    private func clientSecret(_ request: Request) throws -> [UInt8] {
        let query = try input(403) { () throws(WireError) in try ShareQuery.decode(request.query, needsIdentity: true) }
        let share = try secondAuthority.clientShare(query, at: clock.now)
        if let hash = query.hashMPinID { try permits.demandGood(hash.bytes) }
        return share.withBytes { ClientSecretResponse().encode(share: $0) }
    }

    private func timePermit(_ request: Request) throws -> [UInt8] {
        let query = try input(403) { () throws(WireError) in try PermitQuery.decode(request.query) }
        let share = try secondAuthority.permitShare(query, at: clock.now)
        try permits.demandGood(query.hashMPinID.bytes)
        return share.withBytes { PermitShareResponse().encode(share: $0) }
    }

    private func registration(_ request: Request) throws -> RegisterRequest {
        try input(400) { () throws(WireError) in try RegisterRequest.decode(request.body.span) }
    }

    private func authentication(_ request: Request) throws -> AuthenticateRequest {
        try input(400) { () throws(WireError) in try AuthenticateRequest.decode(request.body.span) }
    }

    /// An M-Pin ID in a path. What is not hexadecimal is no path of ours.
    func mpinID(_ segment: String) throws -> HexText {
        guard segment.utf8.count <= 2 * MPinIDRecord.longest, let mpinID = HexText(text: Array(segment.utf8).span),
            !mpinID.bytes.isEmpty
        else { throw Refusal.unknownPath }
        return mpinID
    }

    func allow(_ methods: [String], _ request: Request) throws {
        guard methods.contains(request.method) else {
            throw Refusal(405, "METHOD NOT ALLOWED", allowed: methods.joined(separator: ", "))
        }
    }

    /// Reads what was sent; what cannot be read is refused with a status.
    func input<T>(_ status: Int, _ read: () throws(WireError) -> T) throws -> T {
        do throws(WireError) { return try read() } catch { throw Refusal.badInput(error, status: status) }
    }
}
