internal import MPinCrypto
internal import MPinWire

/// The table of endpoints.
extension ServerEndpoint {
    static let all = [
        clientSettings, register, restart, signature, timePermit, setupDone, clientSecretShare, timePermitShare,
        passOne, passTwo, authenticate, revoke,
        getAccessNumber, getQRURL, accessPoll, oldAccessPoll, codeStatus, authenticateNumber,
        service, session, logoutLink, logout, oneTimePassword,
        activationPage, activate, hookActivation,
        page, stylesheet, script, icon, qrCode,
    ]

    // MARK: Registration

    static let clientSettings = ServerEndpoint("GET", path: "/rps/clientSettings", .reading) { services, _ in
        .now(.json(try services.seededSettings()))
    }

    static let register = ServerEndpoint("PUT", path: "/rps/user", .registering) { services, request in
        try services.afterVerification {
            let message = try input(400) { () throws(WireError) in try RegisterRequest.decode(request.body.span) }
            return .json(try services.registrations.register(message, source: request.source).encode())
        }
    }

    static let restart = ServerEndpoint("PUT", pathBeforeMPinID: register.path, .registering) {
        services, request, mpinID in
        try services.afterVerification {
            let message = try input(400) { () throws(WireError) in try RegisterRequest.decode(request.body.span) }
            return .json(try services.registrations.restart(mpinID, message, source: request.source).encode())
        }
    }

    static let signature = ServerEndpoint("GET", pathBeforeMPinID: "/rps/signature", .registering) {
        services, request, mpinID in
        let query = try input(400) { () throws(WireError) in try SignatureQuery.decode(request.query) }
        return .now(.json(try services.registrations.signature(mpinID, query, source: request.source)))
    }

    static let timePermit = ServerEndpoint("GET", pathBeforeMPinID: "/rps/timePermit", .reading) {
        services, _, mpinID in
        .now(.json(try services.permits.permit(mpinID)))
    }

    /// Clients of 2016 report here that they have a PIN; nothing depends on it.
    static let setupDone = ServerEndpoint("POST", pathBeforeMPinID: "/rps/setupDone", .registering) { _, _, _ in
        .now(.empty)
    }

    // MARK: The second authority

    static let clientSecretShare = ServerEndpoint("GET", path: "/dta/clientSecret", .reading) { services, request in
        let query = try input(403) { () throws(WireError) in
            try ShareQuery.decode(request.query, needsIdentity: true)
        }
        return .now(.json(try services.permits.clientSecretShare(query, of: services.secondAuthority)))
    }

    static let timePermitShare = ServerEndpoint("GET", path: "/dta/timePermit", .reading) { services, request in
        let query = try input(403) { () throws(WireError) in try PermitQuery.decode(request.query) }
        return .now(.json(try services.permits.permitShare(query, of: services.secondAuthority)))
    }

    // MARK: Login

    static let passOne = ServerEndpoint("POST", path: "/rps/pass1", .immediate) { services, request in
        let message = try input(403) { () throws(WireError) in try PassOneRequest.decode(request.body.span) }
        return .now(.json(try services.logins.passOne(message, source: request.source).encode()))
    }

    static let passTwo = ServerEndpoint("POST", path: "/rps/pass2", .verifying) { services, request in
        let message = try input(403) { () throws(WireError) in try PassTwoRequest.decode(request.body.span) }
        return .now(.json(try services.logins.passTwo(message, source: request.source).encode()))
    }

    static let authenticate = ServerEndpoint("POST", path: "/mpinAuthenticate", .reading) { services, request in
        .now(try services.application.authenticate(authentication(request), request))
    }

    static let revoke = ServerEndpoint("POST", path: "/mpinRevoke", .registering) { services, request in
        let message = try authentication(request)
        return .now(.json(try services.application.revoke(message, source: request.source)))
    }

    // MARK: Cross-device login

    static let getAccessNumber = ServerEndpoint("POST", path: "/rps/getAccessNumber", .reading) { services, request in
        .now(.json(try services.crossDevice.open(.number, request).encode()))
    }

    static let getQRURL = ServerEndpoint("POST", path: "/rps/getQrUrl", .reading) { services, request in
        .now(.json(try services.crossDevice.open(.link, request).encode()))
    }

    static let accessPoll = ServerEndpoint("POST", path: "/rps/access", .reading) { services, request in
        .now(.json((try poll(services, request) ?? .expired).encode()))
    }

    /// The poll of clients of 2016, which tells only whether there is a handle.
    static let oldAccessPoll = ServerEndpoint("POST", path: "/rps/accessnumber", .reading) { services, request in
        let progress = try poll(services, request)
        if let handle = progress?.encodeHandle() { return .now(.json(handle)) }
        switch progress {
        case nil, .expired: throw Refusal(404, "Unknown or expired webOTT")
        default: throw Refusal(401, "Not authenticated yet")
        }
    }

    static let codeStatus = ServerEndpoint("POST", path: "/rps/codeStatus", .reading) { services, request in
        let message = try input(400) { () throws(WireError) in try CodeStatusRequest.decode(request.body.span) }
        return .now(.json(try services.crossDevice.codeStatus(message, source: request.source)))
    }

    static let authenticateNumber = ServerEndpoint("POST", path: "/rps/authenticate", .reading) { services, request in
        try services.application.authenticateNumber(authentication(request), source: request.source)
    }

    // MARK: The application

    static let service = ServerEndpoint("GET", path: "/service", .reading) { services, _ in
        guard let description = services.description else { throw Refusal(403, "No public address is configured") }
        return .now(.json(description))
    }

    static let session = ServerEndpoint("GET", path: "/session", .reading) { services, request in
        .now(.json(try services.application.session(request).encode()))
    }

    /// Following a link ends no session: a page of another origin could have made it.
    static let logoutLink = ServerEndpoint("GET", path: "/logout", .reading) { services, _ in
        .now(services.page.redirection)
    }

    static let logout = ServerEndpoint("POST", path: logoutLink.path, .reading) { services, request in
        .now(try services.application.logout(request))
    }

    static let oneTimePassword = ServerEndpoint("POST", path: "/otp", .reading) { services, request in
        let message = try input(400) { () throws(WireError) in try OneTimePasswordRequest.decode(request.body.span) }
        return .now(.json(try services.application.redeem(message, source: request.source).encode()))
    }

    // MARK: Activation of registrations

    static let activationPage = ServerEndpoint(
        "GET", "HEAD", path: "/mpinActivate", .reading, if: { $0.activation != nil }
    ) { services, request in
        guard let activation = services.activation else { throw Refusal.unknownPath }
        return .now(try activation.show(request))
    }

    static let activate = ServerEndpoint(
        "POST", path: activationPage.path, .registering, acceptsForms: true, if: { $0.activation != nil }
    ) { services, request in
        guard let activation = services.activation else { throw Refusal.unknownPath }
        return .now(try activation.activate(request))
    }

    /// Here the site's application activates a registration that it was asked about.
    static let hookActivation = ServerEndpoint(
        "POST", pathBeforeMPinID: "/user", .registering, if: { $0.hook != nil }
    ) { services, request, mpinID in
        guard let hook = services.hook else { throw Refusal.unknownPath }
        let message = try input(400) { () throws(WireError) in try ActivationRequest.decode(request.body.span) }
        try hook.activate(mpinID, message, source: request.source)
        return .now(.empty)
    }

    // MARK: The login page

    static let page = ServerEndpoint("GET", "HEAD", path: "/", .reading) { services, _ in .now(services.page.response) }

    static let stylesheet = ServerEndpoint("GET", "HEAD", path: "/mpin.css", .reading) { _, _ in
        .now(LoginPage.stylesheet)
    }

    static let script = ServerEndpoint("GET", "HEAD", path: "/mpin.js", .reading) { _, _ in .now(LoginPage.script) }

    static let icon = ServerEndpoint("GET", "HEAD", path: "/mpin.svg", .reading) { _, _ in .now(LoginPage.icon) }

    static let qrCode = ServerEndpoint("GET", "HEAD", path: "/qr.svg", .reading) { services, request in
        guard let response = services.page.qrCode(request.query) else { throw Refusal.unknownPath }
        return .now(response)
    }

    // MARK: Requests

    private static func authentication(_ request: Request) throws -> AuthenticateRequest {
        try input(400) { () throws(WireError) in try AuthenticateRequest.decode(request.body.span) }
    }

    private static func poll(_ services: Services, _ request: Request) throws -> AccessPollResponse? {
        let message = try input(400) { () throws(WireError) in try AccessPollRequest.decode(request.body.span) }
        return try services.crossDevice.poll(message, source: request.source)
    }

    /// Decodes a request; one that cannot be decoded is refused with a status.
    private static func input<T>(_ status: Int, _ read: () throws(WireError) -> T) throws -> T {
        do throws(WireError) { return try read() } catch { throw Refusal.badInput(error, status: status) }
    }
}
