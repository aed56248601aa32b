// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// Listens at the port for metrics.
///
/// Logins never depend on it. It opens its port after the server is ready, so that it never takes an address from the
/// server's listeners. While the port cannot be opened, for example because another user's program has it, the server
/// works without metrics.
struct MetricsService: Service {
    /// The connections to the port, and how many of them one source keeps. A monitoring system needs one.
    private static let (limit, perSource) = (64, 8)

    let address: ListenAddress
    let responder: StatusResponder
    /// Ends when the server is ready.
    let whenReady: AsyncStream<Never>
    /// Whether the port is open, for administrators.
    let state: ListenerState
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown { for await _ in whenReady {} }
        try await PersistentListening(address: address, state: state) { [logger] fault in
            logger.warning("no metrics, but logins work: \(fault.message)")
        }.run { try await listen() }
    }

    /// Listens until the server stops.
    private func listen() async throws {
        let connections = Connections(
            limit: Self.limit, perSource: Self.perSource, isForRoot: false, proxies: TrustedProxies(), clock: .system,
            logger: logger)
        let application = Hummingbird.Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                let base = HTTP1Channel(responder: responder, configuration: .limited())
                return CountedChannel(base: base, connections: connections)
            }, configuration: ApplicationConfiguration(address: address.binding, serverName: "mpin-server"),
            onServerRunning: { [address, state, logger] channel in
                state.begin(channel, nil)
                logger.notice("metrics on http://\(address.withPort(of: channel).text)/metrics")
            },
            // It would log each attempt.
            logger: Logger(label: "metrics", factory: { _ in SwiftLogNoOpLogHandler() }))
        try await application.run()
    }
}
