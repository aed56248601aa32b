internal import Logging
internal import MPinCrypto
internal import MPinWire

/// A whole server: both authorities, the relying party and the application over one directory.
///
/// It knows nothing of sockets: ``outcome(of:)`` is all there is to it.
package final class LoginServer: Sendable {
    private let routes: Routes
    private let audit: Audit
    private let logger: Logger
    private let store: Store

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

    init(
        _ directory: ServerDirectory, configuration file: String? = nil, isTLS: Bool, clock: ServerClock = .system,
        logger: Logger
    ) throws(ServerFault) {
        try directory.check()
        let configuration = try directory.readConfiguration(file: file)
        let store = try Store(path: directory.database)
        let root = try KeyFile.read(directory.key)
        audit = Audit(store: store, logger: logger, clock: clock)
        self.logger = logger
        self.store = store
        routes = try Assembly(
            store: store, root: root, configuration: configuration, isTLS: isTLS, audit: audit, clock: clock,
            logger: logger
        ).routes()
    }

    /// The address the world sees; empty where there is none.
    package var publicURL: String { routes.page.publicURL }

    /// Answers a request. May wait for the disk and for other requests about the same registration.
    package func outcome(of request: Request) -> Outcome {
        guard request.body.count <= Request.largestBody else { return .now(.refusal(Refusal(413, "Too large"))) }
        do {
            return try routes.outcome(of: request)
        } catch let refusal as Refusal {
            return .now(routes.page.stray(refusal, request) ?? .refusal(refusal))
        } catch let fault as ServerFault {
            logger.error("request failed", metadata: ["reason": "\(fault.message)"])
            return .now(.refusal(.failure))
        } catch {
            logger.error("request failed", metadata: ["reason": "\(error)"])
            return .now(.refusal(.failure))
        }
    }

    /// Writes what waits to be written, for the audit log and of attempts that could not be settled.
    package func flush() {
        audit.flush()
        routes.logins.judge.flush()
    }

    /// SQLite's `synchronous` of the connection that writes.
    package func databaseSynchronous() throws(ServerFault) -> Int { try store.synchronousLevel() }
}
