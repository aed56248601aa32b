// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Makes the services of a server for a configuration.
struct ServiceAssembly {
    private let state: ServerState
    private let context: ServerContext

    private var configuration: RoleConfiguration { context.configuration }
    private var publicURL: String { context.publicURL }

    init(_ state: ServerState, _ configuration: RoleConfiguration) {
        self.state = state
        context = ServerContext(
            store: state.store, audit: state.audit, clock: state.clock, logger: state.logger,
            configuration: configuration, publicURL: configuration.publicURL ?? state.storedURL, appID: state.appID,
            serverID: state.serverID, key: state.key, limits: RateLimits(state, configuration), metrics: state.metrics)
    }

    /// The routes to all services.
    func routes() throws(ServerError) -> Routes {
        let origin = SameOrigin(publicURL: publicURL)
        let crossDevice = CrossDeviceLogin(
            context: context, sessions: state.sessions,
            hosts: Hosts(store: state.store, keys: try ServerKeys.all(.host, state.vault)), origin: origin)
        let mail = try mail()
        let hook = try hook()
        let links: (any LinkVerification)? = mail ?? hook
        let application = Application(
            context: context, results: state.results, crossDevice: crossDevice,
            webSessions: state.webSessions, passwords: state.passwords,
            cookie: SessionCookie(isPublicTLS: publicURL.hasPrefix("https://")), origin: origin)
        let owner = OwnerService(
            context: context, application: application, invitations: try key(.invitation),
            backupCodes: try key(.backupCode))
        return Routes(
            Services(
                context: context, settings: settings().encode(),
                page: LoginPage(serviceName: configuration.serviceName, publicURL: publicURL),
                registrations: Registrar(
                    context: context,
                    policy: RegistrationPolicy(configuration: configuration),
                    codes: EnrollmentCodes(
                        store: state.store, invitations: try ServerKeys.all(.invitation, state.vault),
                        backupCodes: try ServerKeys.all(.backupCode, state.vault)),
                    mail: mail, hook: hook, authority: state.first, signingKey: state.questionKeys.clientSecret,
                    signatures: state.signatures, authorityURL: authorityURL),
                permits: PermitIssuer(
                    context: context, authority: state.first, signingKey: state.questionKeys.timePermit),
                secondAuthority: state.second,
                logins: TwoPassLogin(
                    context: context, pending: state.pendingLogins, loginVerifier: state.loginVerifier,
                    results: state.results, crossDevice: crossDevice),
                direct: DirectLoginService(
                    context: context, loginVerifier: state.loginVerifier, signatures: state.signatures,
                    application: application, owner: owner),
                application: application, owner: owner,
                crossDevice: crossDevice,
                activation: links.map { ActivationLinks(context: context, verification: $0) },
                hook: hook, description: description?.encode()))
    }

    private func key(_ purpose: KeyPurpose) throws(ServerError) -> SigningKey {
        try ServerKeys.signing(purpose, state.vault.root)
    }

    /// The verification by mail; nil if the configuration does not use it.
    private func mail() throws(ServerError) -> MailVerification? {
        guard let server = try configuration.mailServer() else { return nil }
        guard !publicURL.isEmpty else {
            throw ServerError(
                .configuration, "'verify = mail' needs the server's public address, for the links in mails",
                hint: "Set public_url in server.conf.")
        }
        return MailVerification(
            context: context, queue: MailQueue(server: server, logger: context.logger), key: try key(.mail),
            sender: server.sender)
    }

    /// The verification by the site's application; nil if the configuration does not use it.
    private func hook() throws(ServerError) -> HookVerification? {
        guard let url = try configuration.hookURL() else { return nil }
        return HookVerification(
            context: context, client: HookClient(url: url, certificateFile: configuration.hook.certificateFile),
            key: try key(.activation))
    }

    /// What the server says about itself. Never uses the address of a request, because the client chose it.
    private var description: ServiceDescription? {
        guard !publicURL.isEmpty else { return nil }
        return ServiceDescription(
            name: configuration.serviceName, url: publicURL,
            rpsPrefix: String(ServerEndpoint.passOne.parentPath.dropFirst()),
            logoURL: configuration.serviceLogoURL)
    }

    /// The second authority's address. Clients append the kind of share to it.
    private var authorityURL: String {
        state.secondAuthorityURL ?? "\(publicURL)\(ServerEndpoint.clientSecretShare.parentPath)/"
    }

    /// What clients learn about this server. Without a public address they complete the paths themselves.
    private func settings() -> ClientSettings {
        var texts: [MemberName: String] = [:]
        for endpoint in ServerEndpoint.allCases.map(\.row) where endpoint.isOffered(configuration) {
            if let setting = endpoint.setting { texts[setting] = "\(publicURL)\(endpoint.path)" }
        }
        texts[.certivoxURL] = authorityURL
        texts[.mpinAuthServerURL] = "\(publicURL)\(ServerEndpoint.passOne.parentPath)"
        // There is no store of permits. An empty address makes some clients of 2016 fail; one that answers 404 does
        // not.
        texts[.timePermitsStorageURL] = "\(publicURL)/permits"
        texts[.appID] = state.appID
        var settings = ClientSettings(texts)
        settings.checkSum = 1
        settings.serverID = HexText(bytes: state.serverID)
        settings.serverKey = HexText(bytes: state.key.publicKey)
        var extensions: [ProtocolExtension] = [
            .passID, .attemptsLeft, .revoke, .requester, .deny, .owner, .deviceKey, .direct, .status, .proof,
        ]
        // Its address is that of another server, even for clients at a socket.
        if state.secondAuthorityURL != nil { extensions.append(.secondAuthority) }
        // The codes of the site's application may have another format.
        if !configuration.verifiesByHook { extensions += [.invitationCode, .backupCodes] }
        if configuration.verifiesByMail { extensions.append(.mail) }
        settings.extensions = extensions
        return settings
    }
}
