internal import Logging
internal import MPinCrypto
internal import MPinWire
import Synchronization

/// A whole server: both authorities, the relying party and the application over one directory.
///
/// It knows nothing of sockets: ``result(of:)`` is all there is to it.
package final class LoginServer: Sendable {
    /// How long a request waits while another process holds the lock of the database.
    private static let patience = Duration.seconds(1)

    let state: ServerState
    /// What the directory of the server is.
    let directory: ServerDirectory
    /// The file of the database when it was opened.
    let databaseIdentity: CopiedFile.FileIdentity?
    /// The routes in force.
    private let active: Mutex<Routes>
    private var audit: Audit { state.audit }
    private var logger: Logger { state.logger }

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
        self.directory = directory
        let store = try Store(path: directory.database, patience: Self.patience)
        databaseIdentity = CopiedFile.identity(directory.database)
        let root = try directory.readKey(for: store)
        state = try ServerState(
            store: store, root: root, configuration: configuration, isTLS: isTLS,
            audit: Audit(store: store, logger: logger, clock: clock), clock: clock, logger: logger)
        active = Mutex(try ServiceAssembly(state, configuration).routes())
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
        return RoutedRequest(request, routes, routes.match(request))
    }

    /// Answers a request. May wait for the disk and for other requests about the same registration.
    package func result(of routed: RoutedRequest) -> RouteResult {
        let (request, routes) = (routed.request, routed.routes)
        guard request.body.count <= Request.largestBody else { return .now(.refusal(Refusal(413, "Too large"))) }
        do {
            return try routes.result(of: request, routed.match)
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

    /// Deletes expired rows. Rows that cannot be deleted now are retried the next time.
    package func purge() {
        let (now, days) = (state.clock.now, Int64(configuration.auditDays))
        do throws(ServerFault) {
            try state.store.purge(now: now, oldestEvent: days > 0 ? now.adding(seconds: -days * 86_400) : nil)
        } catch {
            logger.warning("nothing could be cleared away", metadata: ["reason": "\(error.message)"])
        }
    }

    /// Notes that the server begins or ends.
    ///
    /// - Parameter detail: its version, and where it listens.
    func note(_ kind: AuditKind, actor: String, detail: String) {
        audit.add(AuditEvent(kind, at: state.clock.now, actor: actor, detail: detail))
    }
}
