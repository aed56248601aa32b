internal import Logging
internal import MPinCrypto
internal import MPinWire

/// Puts the roles of a server together.
struct Assembly {
    let store: Store
    let root: SealKey
    let configuration: Configuration
    /// Whether the listener speaks TLS itself.
    let isTLS: Bool
    let audit: Audit
    let clock: ServerClock
    let logger: Logger

    /// The routes over all roles.
    func routes() throws(ServerFault) -> Routes {
        guard let appID = try store.setting("appID"), let text = try store.setting("serverID"),
            let serverID = Hex.decode(Array(text.utf8).span)
        else { throw ServerFault(.storage, "the database lacks its settings") }
        let first = try authority(1, appID: appID)
        let second = try authority(2, appID: appID)
        let stored = try store.setting("publicURL")
        let publicURL = configuration.publicURL ?? stored ?? ""
        let open = OpenLogins()
        let results = Results()
        let waitingRoom = try waitingRoom(publicURL: publicURL)
        let mail = try mail(publicURL: publicURL)
        let hook = try hook(publicURL: publicURL)
        let links: (any LinkVerification)? = mail ?? hook
        let ledger = try Ledger(store: store, limits: configuration.attemptLimits, logger: logger, clock: clock)
        let judge = Judge(verifier: try verifier(first, second), ledger: ledger, logins: open, audit: audit)
        return Routes(
            settings: settings(appID: appID, serverID: serverID, publicURL: publicURL).encode(),
            page: Page(serviceName: configuration.serviceName, publicURL: publicURL),
            registrar: Registrar(
                store: store,
                admission: Admission(
                    invitations: try ServerKeys.signing(.invitation, root), configuration: configuration),
                mail: mail, hook: hook, authority: first, signingKey: try ServerKeys.signing(.clientSecret, root),
                appID: appID,
                configuration: configuration, throttle: throttle(configuration.failuresPerSource), audit: audit,
                clock: clock),
            permits: Permits(
                store: store, authority: first, signingKey: try ServerKeys.signing(.timePermit, root), appID: appID,
                clock: clock),
            secondAuthority: second,
            logins: Logins(
                open: open, judge: judge, results: results, waitingRoom: waitingRoom,
                throttle: throttle(configuration.failuresPerSource), audit: audit, clock: clock),
            application: Application(
                results: results, waitingRoom: waitingRoom,
                webSessions: WebSessions(
                    idleSeconds: configuration.sessionIdleSeconds, seconds: configuration.sessionSeconds),
                passwords: OneTimePasswords(seconds: configuration.passwordSeconds),
                passwordGuesses: throttle(configuration.failuresPerSource), store: store, audit: audit,
                serverID: serverID, cookie: SessionCookie(isSecure: isTLS || publicURL.hasPrefix("https://")),
                origin: SameOrigin(publicURL: publicURL), configuration: configuration, clock: clock),
            waitingRoom: waitingRoom,
            // Any page can make its readers' browsers ask for a link; that is to cost them no login.
            activation: links.map {
                ActivationRoutes(
                    verification: $0, throttle: throttle(configuration.failuresPerSource), clock: clock)
            },
            hook: hook, service: service(publicURL: publicURL)?.encode(), clock: clock)
    }

    private func waitingRoom(publicURL: String) throws(ServerFault) -> WaitingRoom {
        WaitingRoom(
            sessions: WaitingSessions(), hosts: Hosts(store: store, key: try ServerKeys.signing(.host, root)),
            origin: SameOrigin(publicURL: publicURL),
            creations: throttle(configuration.accessNumbersPerSource),
            guesses: throttle(configuration.failuresPerSource), polls: throttle(configuration.failuresPerSource),
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
            questions: throttle(configuration.failuresPerSource), audit: audit, clock: clock, logger: logger)
    }

    /// What the server says about itself. Never the address that a request was made with: whoever made it chose it.
    private func service(publicURL: String) -> ServiceDescription? {
        guard !publicURL.isEmpty else { return nil }
        return ServiceDescription(
            name: configuration.serviceName, url: publicURL, rpsPrefix: "rps", logoURL: configuration.serviceLogoURL)
    }

    private func throttle(_ capacity: Int) -> Throttle {
        Throttle(capacity: capacity, secondsPerToken: configuration.failureRefillSeconds)
    }

    /// What clients learn about this server. Without a public address they complete the paths themselves.
    private func settings(appID: String, serverID: [UInt8], publicURL: String) -> ClientSettings {
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
        settings.appID = appID
        settings.checkSum = 1
        settings.serverID = HexText(bytes: serverID)
        settings.extensions = ["passId", "attemptsLeft", "revoke", "requester", "keepLastTry"]
        // The site's application may have codes of another form.
        if !configuration.verifiesByHook { settings.extensions.append("invitationCode") }
        if configuration.verifiesByMail { settings.extensions.append("mail") }
        settings.revokeURL = "\(publicURL)/mpinRevoke"
        return settings
    }

    private func authority(_ number: Int, appID: String) throws(ServerFault) -> Authority {
        guard let sealed = try store.sealedShare(number) else {
            throw ServerFault(.storage, "the database lacks the master share \(number)")
        }
        let clientSecretKey = try ServerKeys.signing(.clientSecret, root)
        let timePermitKey = try ServerKeys.signing(.timePermit, root)
        do throws(CryptoError) {
            return Authority(
                try TrustAuthority(master: root.open(sealed, authority: number)), appID: appID,
                clientSecretKey: clientSecretKey, timePermitKey: timePermitKey)
        } catch {
            throw ServerFault(
                .configuration, "the master share \(number) cannot be opened",
                hint: "The key file does not belong to this database.")
        }
    }

    private func verifier(_ first: Authority, _ second: Authority) throws(ServerFault) -> Verifier {
        do throws(CryptoError) {
            let verifier = try Verifier(
                serverSecret: Shares.recombineServer(first.serverShare(), second.serverShare()))
            LockedMemory.check([first.isLocked, second.isLocked, root.isLocked, verifier.isLocked], logger)
            return verifier
        } catch {
            throw ServerFault(.internalFault, "the server secret cannot be made: \(error)")
        }
    }
}
