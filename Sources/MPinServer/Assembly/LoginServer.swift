internal import Logging
internal import MPinCrypto
package import MPinServerRoles
package import MPinServerStorage
internal import MPinWire
import Synchronization

/// A whole server: both authorities, the relying party and the application over one directory.
///
/// It knows nothing of sockets: ``result(of:)`` is all there is to it. The second authority may be on another host.
package final class LoginServer: RequestServer {
    /// The configuration in force, and its routes.
    private struct Active {
        let configuration: ServerConfiguration
        let routes: Routes
    }

    let opened: OpenedDirectory
    private let state: ServerState
    private let active: Mutex<Active>
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
    ) throws(ServerError) {
        let logger = Logger(label: "mpin-server") { _ in SwiftLogNoOpLogHandler() }
        try self.init(directory, configuration: file, isTLS: isTLS, clock: clock, logger: logger)
    }

    private convenience init(
        _ directory: ServerDirectory, configuration file: String? = nil, isTLS: Bool, clock: ServerClock = .system,
        logger: Logger
    ) throws(ServerError) {
        try directory.check()
        try self.init(
            directory, settings: directory.readConfiguration(file: file), isTLS: isTLS, clock: clock, logger: logger)
    }

    init(
        _ directory: ServerDirectory, settings configuration: ServerConfiguration, isTLS: Bool,
        clock: ServerClock = .system, logger: Logger
    ) throws(ServerError) {
        opened = try OpenedDirectory(directory, clock: clock, logger: logger)
        guard opened.role != .authority else { throw ServerRole.isAuthority(directory.path) }
        state = try ServerState(
            opened.vault, configuration: configuration.roles, isTLS: isTLS, audit: opened.audit, clock: clock,
            logger: logger, metrics: opened.metrics)
        LockedMemory.check([state.areSecretsLocked], logger)
        active = Mutex(Active(configuration: configuration, routes: try state.routes(configuration.roles)))
        if configuration.roles.legacy == .refuse {
            let count = try opened.store.countRegistrationsWithoutKey()
            if count > 0 {
                logger.warning(
                    "legacy = refuse: \(count) registration(s) without a device key are refused",
                    metadata: ["hint": "list them: mpin-server device list. Their users run: mpin-enroll recover"])
            }
        }
    }

    /// The configuration that requests are answered by.
    var configuration: ServerConfiguration { active.withLock(\.configuration) }

    /// Applies another configuration from the next request on, as far as that is possible without a restart.
    ///
    /// - Throws: ``ServerError`` where it cannot be used; then nothing has changed.
    func apply(_ wanted: ServerConfiguration) throws(ServerError) -> ConfigurationChange {
        let change = ConfigurationChange(from: configuration, to: wanted)
        let routes = try state.routes(change.applicable.roles)
        state.adopt(change.applicable.roles.attemptLimits)
        active.withLock { $0 = Active(configuration: change.applicable, routes: routes) }
        return change
    }

    private var routes: Routes { active.withLock(\.routes) }

    /// The address the world sees; empty where there is none.
    package var publicURL: String { routes.publicURL }

    /// Finds the endpoint of a request under the configuration of this moment.
    package func route(_ request: Request) -> RoutedRequest { routes.route(request) }

    /// Answers a request. May wait for the disk and for other requests about the same registration.
    package func result(of routed: RoutedRequest) -> RouteResult { routed.result() }

    /// Writes audit events and settlements that wait.
    package func flush() {
        audit.flush()
        state.flush()
    }

    /// The same for the last time.
    func finish() {
        audit.finish(within: .seconds(5))
        state.flush()
    }

    /// Deletes expired rows.
    package func purge() { clearAway() }

    /// A request for the settings.
    var probe: (target: String, status: Int) { Routes.probe }

    var queueLengths: [String: Int] {
        [
            "commit": opened.store.waitingWrites, "audit": opened.audit.length,
            "settlement": state.unwrittenSettlements, "mail": routes.waitingMails,
        ]
    }
}
