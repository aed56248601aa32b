// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// Listens at the status socket, or at the port for metrics.
struct StatusService: Service {
    /// The connections to the port, and how many of them one source keeps. A monitoring system needs one.
    private static let (limit, perSource) = (64, 8)

    let address: ListenAddress
    let responder: StatusResponder
    let logger: Logger
    /// Called when connections are accepted.
    var ready: @Sendable () -> Void = {}

    func run() async throws {
        let (address, socket) = (address, address.socket)
        try socket?.makeRoom()
        let connections = Connections(
            limit: Self.limit, perSource: Self.perSource, isForRoot: false, proxies: TrustedProxies(), clock: .system,
            logger: logger)
        let application = Hummingbird.Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                let base = HTTP1Channel(responder: responder, configuration: .limited())
                // StatusChannel checks which users may ask.
                return socket == nil ? CountedChannel(base: base, connections: connections) : StatusChannel(base: base)
            },
            configuration: ApplicationConfiguration(address: address.binding, serverName: "mpin-server"),
            onServerRunning: { channel in
                do throws(ServerError) {
                    try socket?.open(mode: SocketFile.forGroup)
                } catch {
                    logger.critical("\(error.message)")
                }
                if socket == nil { logger.notice("metrics on http://\(address.withPort(of: channel).text)/metrics") }
                ready()
            },
            logger: logger)
        do { try await application.run() } catch let error as IOError { throw address.fault(error.errnoCode) }
        socket?.remove()
    }
}
