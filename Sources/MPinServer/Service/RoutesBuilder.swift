internal import Logging
internal import MPinCrypto
internal import MPinWire

/// Puts the roles of a server together, as a configuration wants them.
struct RoutesBuilder {
    let state: ServerState
    let configuration: ServerConfiguration

    private var store: Store { state.store }
    private var root: SealKey { state.root }
    private var audit: Audit { state.audit }
    private var clock: ServerClock { state.clock }
    private var logger: Logger { state.logger }

    /// The routes over all roles.
    func routes() throws(ServerFault) -> Routes {
        let (appID, first) = (state.appID, state.first)
        let publicURL = configuration.publicURL ?? state.storedURL
        let crossDevice = try crossDevice(publicURL: publicURL)
        let mail = try mail(publicURL: publicURL)
        let hook = try hook(publicURL: publicURL)
        let links: (any LinkVerification)? = mail ?? hook
        return Routes(
            settings: settings(publicURL: publicURL).encode(),
            page: LoginPage(serviceName: configuration.serviceName, publicURL: publicURL),
            registrations: RegistrationService(
                store: store,
                policy: RegistrationPolicy(
                    invitations: try ServerKeys.signing(.invitation, root), configuration: configuration),
                mail: mail, hook: hook, authority: first, signingKey: try ServerKeys.signing(.clientSecret, root),
                appID: appID,
                configuration: configuration, rateLimiter: failures("registrations"),
                beginnings: failures("registrations without a code"), audit: audit, clock: clock),
            permits: PermitService(
                store: store, authority: first, signingKey: try ServerKeys.signing(.timePermit, root), appID: appID,
                clock: clock),
            secondAuthority: state.second,
            logins: TwoPassLogin(
                pending: state.pendingLogins, loginVerifier: state.loginVerifier, results: state.results,
                crossDevice: crossDevice,
                rateLimiter: failures("identities"), audit: audit, clock: clock),
            application: Application(
                results: state.results, crossDevice: crossDevice, webSessions: state.webSessions,
                passwords: state.passwords, passwordGuesses: failures("passwords"), store: store, audit: audit,
                serverID: state.serverID,
                cookie: SessionCookie(isSecure: state.isTLS || publicURL.hasPrefix("https://")),
                origin: SameOrigin(publicURL: publicURL), configuration: configuration, clock: clock),
            crossDevice: crossDevice,
            // Any page can make its readers' browsers ask for a link; that is to cost them no login.
            activation: links.map {
                ActivationRoutes(verification: $0, rateLimiter: failures("links"), clock: clock)
            },
            hook: hook, service: service(publicURL: publicURL)?.encode(), clock: clock)
    }

    private func crossDevice(publicURL: String) throws(ServerFault) -> CrossDeviceLogin {
        CrossDeviceLogin(
            sessions: state.sessions, hosts: Hosts(store: store, key: try ServerKeys.signing(.host, root)),
            origin: SameOrigin(publicURL: publicURL),
            creations: rateLimiter("creations", configuration.accessNumbersPerSource),
            guesses: failures("numbers"), polls: failures("polls"),
            seconds: configuration.accessNumberSeconds, publicURL: publicURL, serviceName: configuration.serviceName,
            logoURL: configuration.serviceLogoURL, audit: audit, clock: clock)
    }

    /// What verifies mail addresses; nil where nothing does.
    private func mail(publicURL: String) throws(ServerFault) -> MailVerification? {
        guard configuration.verifiesByMail else { return nil }
        let server = try MailServer(configuration.mail)
        guard !publicURL.isEmpty else {
            throw ServerFault(
                .configuration, "'verify = mail' needs the server's public address, for the links in mails",
                hint: "Set public_url in server.conf.")
        }
        return MailVerification(
            store: store, queue: MailQueue(server: server, logger: logger),
            key: try ServerKeys.signing(.mail, root), sender: server.sender, publicURL: publicURL,
            configuration: configuration, audit: audit, clock: clock)
    }

    /// What asks the site's own application; nil where nothing does.
    private func hook(publicURL: String) throws(ServerFault) -> HookVerification? {
        guard configuration.verifiesByHook else { return nil }
        guard let url = configuration.hook.url else {
            throw ServerFault(
                .configuration, "'verify = hook' needs the application's address",
                hint: "Set verify_url in server.conf.")
        }
        return HookVerification(
            store: store, hook: VerificationHook(url: url, certificateFile: configuration.hook.certificateFile),
            key: try ServerKeys.signing(.activation, root), publicURL: publicURL,
            rateLimiter: failures("verifications"), audit: audit, clock: clock, logger: logger)
    }

    /// What the server says about itself. Never the address that a request was made with: whoever made it chose it.
    private func service(publicURL: String) -> ServiceDescription? {
        guard !publicURL.isEmpty else { return nil }
        return ServiceDescription(
            name: configuration.serviceName, url: publicURL, rpsPrefix: "rps", logoURL: configuration.serviceLogoURL)
    }

    private func failures(_ name: String) -> RateLimiter { rateLimiter(name, configuration.failuresPerSource) }

    private func rateLimiter(_ name: String, _ capacity: Int) -> RateLimiter {
        state.rateLimiter(name, capacity: capacity, secondsPerToken: configuration.failureRefillSeconds)
    }

    /// What clients learn about this server. Without a public address they complete the paths themselves.
    private func settings(publicURL: String) -> ClientSettings {
        var settings = ClientSettings(
            registerURL: "\(publicURL)/rps/user", signatureURL: "\(publicURL)/rps/signature",
            certivoxURL: "\(publicURL)/dta/", timePermitsURL: "\(publicURL)/rps/timePermit",
            mpinAuthServerURL: "\(publicURL)/rps", authenticateURL: "\(publicURL)/mpinAuthenticate")
        // There is no store of permits; an empty address makes some clients of 2016 fail, one that answers 404 none.
        settings.timePermitsStorageURL = "\(publicURL)/permits"
        settings.mobileAuthenticateURL = "\(publicURL)/rps/authenticate"
        settings.accessNumberURL = "\(publicURL)/rps/access"
        settings.getAccessNumberURL = "\(publicURL)/rps/getAccessNumber"
        settings.getQrURL = "\(publicURL)/rps/getQrUrl"
        settings.codeStatusURL = "\(publicURL)/rps/codeStatus"
        settings.setupDoneURL = "\(publicURL)/rps/setupDone"
        settings.appID = state.appID
        settings.checkSum = 1
        settings.serverID = HexText(bytes: state.serverID)
        settings.extensions = ["passId", "attemptsLeft", "revoke", "requester", "keepLastTry"]
        // The site's application may have codes of another form.
        if !configuration.verifiesByHook { settings.extensions.append("invitationCode") }
        if configuration.verifiesByMail { settings.extensions.append("mail") }
        settings.revokeURL = "\(publicURL)/mpinRevoke"
        return settings
    }
}
