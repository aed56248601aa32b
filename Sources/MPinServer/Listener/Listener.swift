// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// One address on which the server listens, until the server stops.
///
/// Each listener has its own limits, so that connections to one address never take the places of another one, and its
/// own kind of source: an account of this host on a Unix socket, a network address on a port.
struct Listener: Service {
    /// What all listeners of a server share.
    struct Site {
        let server: any RequestServer
        let workers: WorkerPools
        /// Nil without TLS.
        let certificates: TLSCertificates?
        let proxies: TrustedProxies
        let logger: Logger
    }

    let connections: Connections
    let state: ListenerState
    private let address: ListenAddress
    private let socket: SocketFile?
    private let application: Application<RouteResponder>

    /// Prepares an address. Nothing listens yet.
    ///
    /// - Parameters:
    ///   - limit: the number of connections.
    ///   - perSource: how many connections each source keeps.
    ///   - ready: called when connections are accepted.
    /// - Throws: ``ServerError`` if another process listens on the socket, or another file is there.
    init(
        _ address: ListenAddress, at site: Site, limit: Int, perSource: Int,
        ready: @escaping @Sendable (ReadyListener) -> Void
    ) throws(ServerError) {
        let (logger, certificates) = (site.logger, address.isSocket ? nil : site.certificates)
        let connections = Connections(
            limit: limit, perSource: perSource, isForRoot: address.isSocket, proxies: site.proxies, clock: .system,
            logger: logger)
        let state = ListenerState(address)
        let socket = address.socket
        try socket?.makeRoom()
        application = Application(
            responder: RouteResponder(
                server: site.server, workers: site.workers, proxies: site.proxies, isTLS: certificates != nil),
            server: HTTPServerBuilder { responder in
                let base = HTTP1Channel(
                    responder: responder, configuration: .limited([ContinueHandler(), WipingHandler()]))
                let counted = CountedChannel(base: base, connections: connections)
                if let certificates { return TLSChannel(base: counted, certificates: certificates) }
                return counted
            },
            configuration: ApplicationConfiguration(
                address: address.binding, serverName: "mpin-server", backlog: 1_024),
            onServerRunning: { [socket] channel in
                // Before other users may connect.
                let mode = await PassedDescriptors.refuse(channel) ? SocketFile.forAll : SocketFile.forGroup
                try? await channel.pipeline.addHandler(ShortageHandler(connections), position: .first)
                do throws(ServerError) { try socket?.open(mode: mode) } catch {
                    // A canceled start has removed the file already, and reports its own error.
                    if !Task.isCancelled { logger.critical("\(error.message)") }
                    return
                }
                state.begin(channel, socket)
                ready(
                    ReadyListener(
                        address: address.withPort(of: channel), isForGroup: socket != nil && mode == SocketFile.forGroup
                    ))
            }, logger: logger)
        (self.address, self.socket, self.connections, self.state) = (address, socket, connections, state)
    }

    func run() async throws {
        do { try await application.run() } catch let error as IOError { throw address.fault(error.errnoCode) }
    }

    /// Removes its socket file.
    func clear() { socket?.remove() }
}

extension ListenAddress {
    /// Its file; nil for a port.
    var socket: SocketFile? { if case .unix(let path) = self { SocketFile(path: path) } else { nil } }

    var binding: BindAddress {
        switch self {
        case .unix(let path): .unixDomainSocket(path: path)
        case .tcp(let host, let port): .hostname(host, port: port)
        }
    }

    func withPort(of channel: any Channel) -> ListenAddress {
        guard case .tcp(let host, let port) = self else { return self }
        return .tcp(host: host, port: channel.localAddress?.port ?? port)
    }
}

/// Logs that the system cannot accept more connections.
final class ShortageHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = Channel

    private let connections: Connections

    init(_ connections: Connections) { self.connections = connections }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError { connections.warn(ofShortage: error.description) }
        context.fireErrorCaught(error)
    }
}
