internal import Logging
internal import MPinCrypto
internal import MPinWire
import Synchronization

/// A whole server: both authorities, the relying party and the application over one directory.
///
/// It knows nothing of sockets: ``result(of:)`` is all there is to it. The second authority may be on another host.
package final class LoginServer: RequestServer {
    let opened: OpenedDirectory
    let state: ServerState
    /// The routes in force.
    private let active: Mutex<Routes>
    private var audit: Audit { opened.audit }
    private var logger: Logger { opened.logger }

    /// Opens a directory.
    ///
    /// - Parameters:
    ///   - file: a configuration file in place of the directory's own.
    ///   - isTLS: whether it is reached by TLS alone, whatever the public address says.
    package convenience init(
        _ directory: ServerDirectory, configuration file: String? = nil, isTLS: Bool = false,
        clock: ServerClock = .system
    ) throws(ServerFault) {
        let logger = Logger(label: "mpin-server") { _ in SwiftLogNoOpLogHandler() }
        try self.init(directory, configuration: file, isTLS: isTLS, clock: clock, logger: logger)
    }

    private convenience init(
        _ directory: ServerDirectory, configuration file: String? = nil, isTLS: Bool, clock: ServerClock = .system,
        logger: Logger
    ) throws(ServerFault) {
        try directory.check()
        try self.init(
            directory, settings: directory.readConfiguration(file: file), isTLS: isTLS, clock: clock, logger: logger)
    }

    init(
        _ directory: ServerDirectory, settings configuration: ServerConfiguration, isTLS: Bool,
        clock: ServerClock = .system, logger: Logger
    ) throws(ServerFault) {
        opened = try OpenedDirectory(directory, clock: clock, logger: logger)
        guard opened.role != .authority else { throw ServerRole.isAuthority(directory.path) }
        state = try ServerState(opened, configuration: configuration, isTLS: isTLS)
        active = Mutex(try ServiceAssembly(state, configuration).routes())
        if configuration.legacy == .refuse {
            let count = try opened.store.countWithoutKey()
            if count > 0 {
                logger.warning(
                    "legacy = refuse: \(count) registration(s) without a device key are refused",
                    metadata: ["hint": "list them: mpin-server device list. Their users run: mpin-enroll recover"])
            }
        }
    }

    /// The configuration that requests are answered by.
    var configuration: ServerConfiguration { routes.services.context.configuration }

    /// Applies another configuration from the next request on, as far as that is possible without a restart.
    ///
    /// - Throws: ``ServerFault`` where it cannot be used; then nothing has changed.
    func apply(_ wanted: ServerConfiguration) throws(ServerFault) -> ConfigurationChange {
        let change = ConfigurationChange(from: configuration, to: wanted)
        let routes = try ServiceAssembly(state, change.applicable).routes()
        state.attemptCounter.adopt(change.applicable.attemptLimits)
        active.withLock { $0 = routes }
        return change
    }

    var routes: Routes { active.withLock { $0 } }

    /// The address the world sees; empty where there is none.
    package var publicURL: String { routes.services.page.publicURL }

    /// Finds the endpoint of a request under the configuration of this moment.
    package func route(_ request: Request) -> RoutedRequest {
        let routes = routes
        let match = routes.match(request)
        return RoutedRequest(match.requestClass) { [self] in result(of: request, routes, match) }
    }

    /// Answers a request. May wait for the disk and for other requests about the same registration.
    package func result(of routed: RoutedRequest) -> RouteResult { routed.result() }

    private func result(of request: Request, _ routes: Routes, _ match: Routes.Match) -> RouteResult {
        guard request.body.count <= Request.largestBody else { return .now(.refusal(Refusal(413, "Too large"))) }
        do {
            return try routes.result(of: request, match)
        } catch let refusal as Refusal {
            return .now(routes.services.page.stray(refusal, request) ?? .refusal(refusal))
        } catch let fault as ServerFault {
            logger.error("request failed", metadata: ["reason": "\(fault.message)"])
            if fault.kind == .unavailable { return .now(.refusal(.locked)) }
            return .now(.refusal(.failure))
        } catch {
            logger.error("request failed", metadata: ["reason": "\(error)"])
            return .now(.refusal(.failure))
        }
    }

    /// Writes audit events and settlements that wait.
    package func flush() {
        audit.flush()
        state.loginVerifier.flush()
    }

    /// The same for the last time.
    func finish() {
        audit.finish(within: .seconds(5))
        state.loginVerifier.flush()
    }

    /// Deletes expired rows.
    package func purge() { clearAway() }

    /// A request for the settings.
    var probe: (target: String, status: Int) { (ServerEndpoint.clientSettings.path, 200) }

    var queueLengths: [String: Int] {
        [
            "commit": state.store.group.length, "audit": state.audit.length,
            "settlement": state.attemptCounter.unwrittenCount,
            "mail": routes.services.registrations.mail?.queue.length ?? 0,
        ]
    }
}
