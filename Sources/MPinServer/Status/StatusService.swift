// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// Serves health and metrics at an address of its own: the status socket, or the port for metrics.
///
/// Logins never depend on it. While the address cannot be opened, for example because another user's program has the
/// port, the server works without it.
struct StatusService: Service {
    /// The connections to the address, and how many of them one source keeps. A monitoring system needs one.
    private static let (limit, perSource) = (64, 8)

    let address: ListenAddress
    let responder: StatusResponder
    /// Which peers may connect. Connections of others are closed without an answer.
    let accepts: @Sendable (RequestSource) -> Bool
    /// Ends when the server is ready. A port opens only then, so that it never takes an address from the listeners.
    let whenReady: AsyncStream<Never>
    /// Whether the address is open, for administrators.
    let state: ListenerState
    let logger: Logger

    func run() async throws {
        let (name, socket) = (address.isSocket ? "status socket" : "metrics", address.socket)
        if socket == nil { await cancelWhenGracefulShutdown { for await _ in whenReady {} } }
        try await PersistentListening(address: address, state: state) { [logger] fault in
            logger.warning(
                "no \(name), but logins work: \(fault.message)",
                metadata: fault.hint.isEmpty ? [:] : ["hint": "\(fault.logHint)"])
        }.run { try await listen(socket) }
        socket?.remove()
    }

    /// Listens until the server stops.
    private func listen(_ socket: SocketFile?) async throws {
        try socket?.makeRoom()
        let connections = Connections(
            limit: Self.limit, perSource: Self.perSource, isForRoot: socket != nil, clock: .system,
            logger: logger)
        try await address.serve(
            responder,
            // It would log each attempt.
            logger: Logger(label: "status", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { responder in
            CountedChannel(
                base: HTTP1Channel(responder: responder, configuration: .limited()), connections: connections,
                accepts: accepts)
        } whenOpen: { [address, state, logger] channel in
            // Before, only the server's account can connect to a socket.
            do throws(ServerError) { try socket?.open(mode: SocketFile.forGroup) } catch {
                state.fail(error)
                try? await channel.close()
                return
            }
            state.begin(channel, socket)
            if socket == nil { logger.notice("metrics on http://\(address.withPort(of: channel).text)/metrics") }
        }
    }
}

/// A report that is made once at a time, and again only after an interval. Those who ask meanwhile get the same one.
///
/// On the port for metrics the readers are unknown, and each report needs threads of the server and opens the master
/// shares.
actor SharedReport<Report: Sendable> {
    private let interval: Duration
    private let make: @Sendable () async -> Report
    private var last: (task: Task<Report, Never>, begin: ContinuousClock.Instant)?
    private var isRunning = false

    init(every interval: Duration, _ make: @escaping @Sendable () async -> Report) {
        (self.interval, self.make) = (interval, make)
    }

    func report() async -> Report {
        if let last, isRunning || last.begin.duration(to: .now) < interval { return await last.task.value }
        let task = Task { [make] in await make() }
        last = (task, .now)
        isRunning = true
        defer { isRunning = false }
        return await task.value
    }
}
