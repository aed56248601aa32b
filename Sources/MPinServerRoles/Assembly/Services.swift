// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The services that answer the endpoints, for a configuration. The roles call each other directly, without private
/// endpoints.
final class Services: Sendable {
    let context: ServerContext
    let settings: OfferedSettings
    let page: LoginPage
    let registrar: Registrar
    let devices: DeviceRegistrar
    let milagro: MilagroRegistrar
    let permits: PermitIssuer
    /// Nil if it is on another host, which clients ask directly.
    let secondAuthority: Authority?
    let passes: TwoPassLogin
    let finalCalls: FinalCalls
    let direct: DirectLoginService
    let application: Application
    let crossDevice: CrossDeviceLogin
    /// Nil if no links verify registrations.
    let activation: ActivationLinks?
    /// Nil if no application of the site verifies registrations.
    let hook: HookVerification?
    /// What this server says about itself, as JSON; nil without a public address.
    let description: [UInt8]?

    init(_ state: ServerState, _ configuration: RoleConfiguration) throws(ServerError) {
        let vault = state.vault
        let context = ServerContext(state, configuration)
        self.context = context
        settings = OfferedSettings(state, context)
        page = LoginPage(serviceName: configuration.serviceName, publicURL: context.publicURL)
        let origin = SameOrigin(publicURL: context.publicURL)
        let mail = try Self.mail(context, vault)
        hook = try Self.hook(context, vault)
        let links: (any LinkVerification)? = mail ?? hook
        activation = links.map { ActivationLinks(context: context, verification: $0) }
        registrar = Registrar(
            context: context,
            codes: EnrollmentCodes(
                store: state.store, invitations: try ServerKeys.all(.invitation, vault),
                backupCodes: try ServerKeys.all(.backupCode, vault)),
            mail: mail, hook: hook, authority: state.first, signingKey: state.questionKeys.clientSecret)
        devices = DeviceRegistrar(context: context, registrar: registrar, signatures: state.signatures)
        milagro = MilagroRegistrar(context: context, registrar: registrar)
        permits = PermitIssuer(context: context, authority: state.first, signingKey: state.questionKeys.timePermit)
        secondAuthority = state.second
        crossDevice = CrossDeviceLogin(
            context: context, sessions: state.sessions,
            hosts: Hosts(store: state.store, keys: try ServerKeys.all(.host, vault)), origin: origin)
        application = Application(
            context: context, crossDevice: crossDevice, webSessions: state.webSessions, passwords: state.passwords,
            cookie: SessionCookie(isPublicTLS: context.publicURL.hasPrefix("https://")), origin: origin)
        let owner = OwnerService(
            context: context, application: application, invitations: try ServerKeys.signing(.invitation, vault.root),
            backupCodes: try ServerKeys.signing(.backupCode, vault.root))
        passes = TwoPassLogin(
            context: context, pending: state.pendingLogins, loginVerifier: state.loginVerifier,
            results: state.results, crossDevice: crossDevice)
        finalCalls = FinalCalls(context: context, results: state.results, application: application, owner: owner)
        direct = DirectLoginService(
            context: context, loginVerifier: state.loginVerifier, signatures: state.signatures,
            application: application, owner: owner,
            ssh: SSHCertificateService(context: context, vault: vault, certificates: state.certificates))
        description = Self.description(context)?.encode()
    }

    /// Proves which key the server has and, if the request names an enrollment code, that the server knows the code.
    func hello(_ request: HelloRequest, source: RequestSource) -> RouteResult {
        context.proven(.hello, to: request.challenge.bytes) {
            let proof = try request.code.map {
                try devices.helloProof(of: $0, challenge: request.challenge, source: source)
            }
            let key = HexText(bytes: context.key.publicKey)
            return .now(.json(HelloResponse(serverKey: key, codeProof: proof).encode()))
        }
    }

    /// What the server says about itself. Never uses the address of a request, because the client chose it.
    private static func description(_ context: ServerContext) -> ServiceDescription? {
        guard !context.publicURL.isEmpty else { return nil }
        return ServiceDescription(
            name: context.configuration.serviceName, url: context.publicURL,
            rpsPrefix: String(ServerEndpoint.passOne.parentPath.dropFirst()),
            logoURL: context.configuration.serviceLogoURL)
    }

    private static func mail(_ context: ServerContext, _ vault: Vault) throws(ServerError) -> MailVerification? {
        guard let server = try context.configuration.mailServer() else { return nil }
        guard !context.publicURL.isEmpty else {
            throw ServerError(
                .configuration, "'verify = mail' needs the server's public address, for the links in mails",
                hint: "Set public_url in server.conf.")
        }
        return MailVerification(
            context: context, queue: MailQueue(server: server, logger: context.logger),
            key: try ServerKeys.signing(.mail, vault.root), sender: server.sender)
    }

    private static func hook(_ context: ServerContext, _ vault: Vault) throws(ServerError) -> HookVerification? {
        guard let url = try context.configuration.hookURL() else { return nil }
        return HookVerification(
            context: context, client: HookClient(url: url), key: try ServerKeys.signing(.activation, vault.root))
    }
}
