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
    private struct Active {
        let configuration: ServerConfiguration
        let routes: Routes
    }

    let opened: OpenedDirectory
    private let state: ServerState
    private let active: Mutex<Active>

    /// Opens a directory.
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
        guard opened.role != .authority else { throw ServerRole.withoutUsers }
        state = try ServerState(
            opened.vault, configuration: configuration.roles, audit: opened.audit, clock: clock, logger: logger,
            metrics: opened.metrics)
        LockedMemory.check([state.areSecretsLocked], logger)
        active = Mutex(Active(configuration: configuration, routes: try state.routes(configuration.roles)))
        if !configuration.roles.acceptsMilagro {
            let count = try opened.store.countRegistrationsWithoutKey()
            if count > 0 {
                logger.warning(
                    "legacy = refuse: registrations without a device key are refused: \(count)",
                    metadata: [
                        "hint": "List them: sudo mpin-server user devices. Their users run: sudo mpin-enroll recover"
                    ]
                )
            }
        }
    }

    var signingKey: ServerSigningKey? { state.key }

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

    package var publicURL: String { routes.publicURL }

    package func route(_ request: Request) -> RoutedRequest {
        guard !opened.nodeClock.isWrong else {
            return RoutedRequest(.reading) {
                .now(.refusal(Refusal(503, "The server's clock is wrong", retryAfter: 5)))
            }
        }
        return routes.route(request)
    }

    package func result(of routed: RoutedRequest) -> RouteResult { routed.result() }

    package func flush() { opened.audit.flush() }

    func finish() { opened.audit.finish(within: .seconds(5)) }

    package func purge() { maintain() }

    // A restart would not fix the clock, so the service manager must not end the server for it.
    var probe: (target: String, status: Int) {
        (Routes.probe.target, opened.nodeClock.isWrong ? 503 : Routes.probe.status)
    }

    var queueLengths: [String: Int] {
        [
            "commit": opened.store.waitingWrites, "audit": opened.audit.length, "mail": routes.waitingMails,
        ]
    }
}
