// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The endpoints of the server.
///
/// Each has a row in one table, ``row``. Routing, the `Allow` header of a 405, the thread pool of a request and the
/// addresses in the client settings are taken from it, so that each path is written once.
enum ServerEndpoint: CaseIterable {
    case clientSettings, register, restart, signature, timePermit, setupDone, clientSecretShare, timePermitShare
    case passOne, passTwo, authenticate, revoke, owner, direct, deviceStatus, hello
    case getAccessNumber, getQRURL, accessPoll, oldAccessPoll, codeStatus, authenticateNumber
    case service, session, logoutLink, logout, oneTimePassword
    case activationPage, activate, hookActivation
    case page, stylesheet, script, icon, qrCode

    /// With a leading slash, and without the M-Pin ID that may follow.
    var path: String { row.path }

    /// The path as used by a page at the root.
    var relativePath: Substring { path.dropFirst() }

    /// The path that contains this one, without a trailing slash.
    var parentPath: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }

    var row: EndpointRow {
        switch self {
        // Registration
        case .clientSettings:
            EndpointRow("GET", path: "/rps/clientSettings", .reading) { services, _, _ in
                .now(.json(try services.settings.seeded()))
            }
        case .register:
            EndpointRow("PUT", path: "/rps/user", .registering, setting: .registerURL) { services, request, _ in
                let message = try request.message(RegisterRequest.decode, orRefuse: 400)
                guard let key = message.deviceKey else {
                    return try services.milagro.register(message, source: request.source)
                }
                return try services.devices.register(message, key: key, content: request.body, source: request.source)
            }
        case .restart:
            EndpointRow("PUT", path: Self.register.path, takesMPinID: true, .registering) { services, request, mpinID in
                let message = try request.message(RegisterRequest.decode, orRefuse: 400)
                guard let key = message.deviceKey else {
                    return try services.milagro.restart(mpinID, message, source: request.source)
                }
                return try services.devices.restart(
                    mpinID, message, key: key, content: request.body, source: request.source)
            }
        case .signature:
            EndpointRow("GET", path: "/rps/signature", takesMPinID: true, .registering, setting: .signatureURL) {
                services, request, mpinID in
                let query = try request.parameters(SignatureQuery.decode, orRefuse: 400)
                guard let proof = query.deviceProof else {
                    return try services.milagro.signature(mpinID, query, source: request.source)
                }
                return try services.devices.signature(
                    mpinID, query, proof, content: Array(request.query.utf8), source: request.source)
            }
        case .timePermit:
            EndpointRow("GET", path: "/rps/timePermit", takesMPinID: true, .reading, setting: .timePermitsURL) {
                services, request, mpinID in .now(try services.permits.permit(mpinID, source: request.source))
            }
        // Clients of 2016 report here that they have a PIN. The server does not use that.
        case .setupDone:
            EndpointRow("POST", path: "/rps/setupDone", takesMPinID: true, .registering, setting: .setupDoneURL) {
                _, _, _ in
                .now(.empty)
            }

        // The second authority, unless it is on another host
        case .clientSecretShare:
            EndpointRow("GET", path: "/dta/clientSecret", .reading) { services, request, _ in
                guard let authority = services.secondAuthority else { throw Refusal.unknownPath }
                let query = try request.shareQuery(needsIdentity: true)
                return .now(try services.registrar.secondShare(query, of: authority))
            }
        case .timePermitShare:
            EndpointRow("GET", path: "/dta/timePermit", .reading) { services, request, _ in
                guard let authority = services.secondAuthority else { throw Refusal.unknownPath }
                let query = try request.parameters(PermitQuery.decode, orRefuse: 403)
                return .now(try services.permits.permitShare(query, of: authority))
            }

        // Login
        case .passOne:
            EndpointRow("POST", path: "/rps/pass1", .immediate) { services, request, _ in
                let message = try request.message(PassOneRequest.decode, orRefuse: 403)
                return .now(.json(try services.passes.passOne(message, source: request.source).encode()))
            }
        case .passTwo:
            EndpointRow("POST", path: "/rps/pass2", .verifying) { services, request, _ in
                let message = try request.message(PassTwoRequest.decode, orRefuse: 403)
                return .now(.json(try services.passes.passTwo(message, source: request.source).encode()))
            }
        case .authenticate:
            EndpointRow("POST", path: "/mpinAuthenticate", .reading, setting: .authenticateURL) {
                services, request, _ in
                .now(
                    try services.finalCalls.authenticate(
                        request.message(AuthenticateRequest.decode, orRefuse: 400), request))
            }
        case .revoke:
            EndpointRow("POST", path: "/mpinRevoke", .registering, setting: .revokeURL) { services, request, _ in
                let message = try request.message(AuthenticateRequest.decode, orRefuse: 400)
                return .now(try services.finalCalls.revoke(message, source: request.source))
            }
        case .owner:
            EndpointRow("POST", path: "/mpinOwner", .registering, setting: .ownerURL) { services, request, _ in
                let message = try request.message(OwnerRequest.decode, orRefuse: 400)
                return .now(try services.finalCalls.answer(message, source: request.source))
            }

        case .direct:
            EndpointRow("POST", path: DirectLoginRequest.path.description, .verifying, setting: .directURL) {
                services, request, _ in
                let message = try request.message(DirectLoginRequest.decode, orRefuse: 400)
                return try services.direct.answer(message, source: request.source)
            }
        case .deviceStatus:
            EndpointRow("POST", path: DeviceStatusRequest.path.description, .reading, setting: .statusURL) {
                services, request, _ in
                let message = try request.message(DeviceStatusRequest.decode, orRefuse: 400)
                return try services.direct.status(message, source: request.source)
            }
        case .hello:
            EndpointRow("POST", path: HelloRequest.path.description, .reading, setting: .helloURL) {
                services, request, _ in
                services.hello(try request.message(HelloRequest.decode, orRefuse: 400), source: request.source)
            }

        // Cross-device login
        case .getAccessNumber:
            EndpointRow("POST", path: "/rps/getAccessNumber", .reading, setting: .getAccessNumberURL) {
                services, request, _ in .now(.json(try services.crossDevice.open(.number, request).encode()))
            }
        case .getQRURL:
            EndpointRow("POST", path: "/rps/getQrUrl", .reading, setting: .getQrURL) { services, request, _ in
                .now(.json(try services.crossDevice.open(.link, request).encode()))
            }
        case .accessPoll:
            EndpointRow("POST", path: "/rps/access", .reading, setting: .accessNumberURL) { services, request, _ in
                .now(.json((try Self.poll(services, request) ?? .expired).encode()))
            }
        // The poll of clients of 2016, which reports only whether there is a handle.
        case .oldAccessPoll:
            EndpointRow("POST", path: "/rps/accessnumber", .reading) { services, request, _ in
                let progress = try Self.poll(services, request)
                if let handle = progress?.encodeHandle() { return .now(.json(handle)) }
                switch progress {
                case nil, .expired, .denied: throw Refusal(404, "Unknown or expired webOTT")
                default: throw Refusal(401, "Not authenticated yet")
                }
            }
        case .codeStatus:
            EndpointRow("POST", path: CodeStatusRequest.path.description, .reading, setting: .codeStatusURL) {
                services, request, _ in
                let message = try request.message(CodeStatusRequest.decode, orRefuse: 400)
                return .now(.json(try services.crossDevice.codeStatus(message, source: request.source)))
            }
        case .authenticateNumber:
            EndpointRow("POST", path: "/rps/authenticate", .reading, setting: .mobileAuthenticateURL) {
                services, request, _ in
                try services.finalCalls.authenticateNumber(
                    request.message(AuthenticateRequest.decode, orRefuse: 400), source: request.source)
            }

        // The application
        case .service:
            EndpointRow("GET", path: "/service", .reading) { services, _, _ in
                guard let description = services.description else {
                    throw Refusal(403, "No public address is configured")
                }
                return .now(.json(description))
            }
        case .session:
            EndpointRow("GET", path: "/session", .reading) { services, request, _ in
                .now(.json(try services.application.session(request).encode()))
            }
        // Following a link does not end a session, because a page of another origin could contain the link.
        case .logoutLink:
            EndpointRow("GET", path: "/logout", .reading) { services, _, _ in .now(services.page.redirection) }
        case .logout:
            EndpointRow("POST", path: Self.logoutLink.path, .reading) { services, request, _ in
                .now(try services.application.logout(request))
            }
        case .oneTimePassword:
            EndpointRow("POST", path: "/otp", .reading) { services, request, _ in
                let message = try request.message(OneTimePasswordRequest.decode, orRefuse: 400)
                return .now(.json(try services.application.redeem(message, request).encode()))
            }

        // Activation of registrations
        case .activationPage:
            EndpointRow("GET", "HEAD", path: "/mpinActivate", .reading, if: { $0.verification != .invitation }) {
                services, request, _ in
                guard let activation = services.activation else { throw Refusal.unknownPath }
                return .now(try activation.show(request))
            }
        case .activate:
            EndpointRow(
                "POST", path: Self.activationPage.path, .registering, acceptsForms: true,
                if: { $0.verification != .invitation }
            ) { services, request, _ in
                guard let activation = services.activation else { throw Refusal.unknownPath }
                return .now(try activation.activate(request))
            }
        // Here the site's application activates a registration that it was asked about.
        case .hookActivation:
            EndpointRow("POST", path: "/user", takesMPinID: true, .registering, if: { $0.verification == .hook }) {
                services, request, mpinID in
                guard let hook = services.hook else { throw Refusal.unknownPath }
                let message = try request.message(ActivationRequest.decode, orRefuse: 400)
                try hook.activate(mpinID, message, source: request.source)
                return .now(.empty)
            }

        // The login page
        case .page: EndpointRow("GET", "HEAD", path: "/", .reading) { services, _, _ in .now(services.page.response) }
        case .stylesheet:
            EndpointRow("GET", "HEAD", path: "/mpin.css", .reading) { _, _, _ in .now(LoginPage.stylesheet) }
        case .script: EndpointRow("GET", "HEAD", path: "/mpin.js", .reading) { _, _, _ in .now(LoginPage.script) }
        case .icon: EndpointRow("GET", "HEAD", path: "/mpin.svg", .reading) { _, _, _ in .now(LoginPage.icon) }
        case .qrCode:
            EndpointRow("GET", "HEAD", path: "/qr.svg", .reading) { services, request, _ in
                guard let response = services.page.qrCode(request.query) else { throw Refusal.unknownPath }
                return .now(response)
            }
        }
    }

    private static func poll(_ services: Services, _ request: Request) throws -> AccessPollResponse? {
        let message = try request.message(AccessPollRequest.decode, orRefuse: 400)
        return try services.crossDevice.poll(message, source: request.source)
    }
}
