// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
package import MPinServerRoles
package import MPinServerStorage
internal import MPinWire
import Synchronization

/// A complete server: both authorities, the relying party and the application, on one directory. The second authority
/// may be on another host.
///
/// It does not use sockets: ``result(of:)`` answers all requests.
package final class LoginServer: RequestServer {
    /// The present configuration and its routes.
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
    /// - Parameter file: a configuration file that replaces the directory's own.
    package convenience init(
        _ directory: ServerDirectory, configuration file: String? = nil, clock: ServerClock = .system
    ) throws(ServerError) {
        try directory.check()
        try self.init(
            directory, settings: directory.readConfiguration(file: file), clock: clock,
            logger: Logger(label: "mpin-server") { _ in SwiftLogNoOpLogHandler() })
    }

    init(
        _ directory: ServerDirectory, settings configuration: ServerConfiguration, clock: ServerClock = .system,
        logger: Logger
    ) throws(ServerError) {
        opened = try OpenedDirectory(directory, clock: clock, logger: logger)
        guard opened.role != .authority else { throw ServerRole.isAuthority(directory.path) }
        state = try ServerState(
            opened.vault, configuration: configuration.roles, audit: opened.audit, clock: clock, logger: logger,
            metrics: opened.metrics)
        LockedMemory.check([state.areSecretsLocked], logger)
        active = Mutex(Active(configuration: configuration, routes: try state.routes(configuration.roles)))
        if !configuration.roles.acceptsMilagro {
            let count = try opened.store.countRegistrationsWithoutKey()
            if count > 0 {
                logger.warning(
                    "legacy = refuse: \(count) registration(s) without a device key are refused",
                    metadata: ["hint": "List them: mpin-server device list. Their users run: sudo mpin-enroll recover"])
            }
        }
    }

    var configuration: ServerConfiguration { active.withLock(\.configuration) }

    /// Applies another configuration from the next request on, except for settings that need a restart.
    ///
    /// - Throws: ``ServerError`` if it cannot be used. Then nothing has changed.
    func apply(_ wanted: ServerConfiguration) throws(ServerError) -> ConfigurationChange {
        let change = ConfigurationChange(from: configuration, to: wanted)
        let routes = try state.routes(change.applicable.roles)
        state.adopt(change.applicable.roles.attemptLimits)
        active.withLock { $0 = Active(configuration: change.applicable, routes: routes) }
        return change
    }

    private var routes: Routes { active.withLock(\.routes) }

    /// The public address; empty if there is none.
    package var publicURL: String { routes.publicURL }

    /// Finds the endpoint of a request under the present configuration.
    package func route(_ request: Request) -> RoutedRequest { routes.route(request) }

    /// Answers a request. May wait for the disk and for other requests about the same registration.
    package func result(of routed: RoutedRequest) -> RouteResult { routed.result() }

    /// Writes the audit events and settlements that wait.
    package func flush() {
        audit.flush()
        state.flush()
    }

    /// Writes them for the last time.
    func finish() {
        audit.finish(within: .seconds(5))
        state.flush()
    }

    /// Deletes expired rows.
    package func purge() { maintain() }

    /// A request for the settings.
    var probe: (target: String, status: Int) { Routes.probe }

    var queueLengths: [String: Int] {
        [
            "commit": opened.store.waitingWrites, "audit": opened.audit.length,
            "settlement": state.unwrittenSettlements, "mail": routes.waitingMails,
        ]
    }
}
