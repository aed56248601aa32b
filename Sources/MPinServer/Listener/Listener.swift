// SPDX-License-Identifier: Apache-2.0
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
    private let state: ListenerState
    private let address: ListenAddress
    private let socket: SocketFile?
    private let site: Site
    private let ready: @Sendable (ReadyListener) -> Void
    private let failed: @Sendable (ServerError) throws -> Void
    /// Nil without TLS.
    private var certificates: TLSCertificates? { address.isSocket ? nil : site.certificates }

    /// Prepares an address. Nothing listens yet.
    ///
    /// - Parameters:
    ///   - state: where its state is recorded.
    ///   - limit: the number of connections.
    ///   - perSource: how many connections each source keeps.
    ///   - ready: called when connections are accepted.
    ///   - failed: called if the address cannot be opened. To end the server, it throws.
    init(
        _ address: ListenAddress, _ state: ListenerState, at site: Site, limit: Int, perSource: Int,
        ready: @escaping @Sendable (ReadyListener) -> Void, failed: @escaping @Sendable (ServerError) throws -> Void
    ) {
        connections = Connections(
            limit: limit, perSource: perSource, isForRoot: address.isSocket, clock: .system, logger: site.logger)
        (self.address, self.site, self.ready, self.failed) = (address, site, ready, failed)
        (socket, self.state) = (address.socket, state)
    }

    func run() async throws {
        try await PersistentListening(address: address, state: state, report: failed).run { try await listen() }
    }

    /// Listens until the server stops.
    ///
    /// - Throws: why the address cannot be opened: for example, another process listens on it, another file has the name
    ///   of the socket, or the certificate cannot be used.
    private func listen() async throws {
        let (address, socket, connections, certificates) = (address, socket, connections, certificates)
        let (ready, state, logger, proxies) = (ready, state, site.logger, site.proxies)
        try socket?.makeRoom()
        try certificates?.demand(logger)
        let responder = RouteResponder(
            server: site.server, workers: site.workers, proxies: proxies, isTLS: certificates != nil)
        try await address.serve(responder, logger: logger) { responder in
            let base = HTTP1Channel(
                responder: responder, configuration: .limited([ContinueHandler(), WipingHandler()]))
            let counted = CountedChannel(base: base, connections: connections, proxies: proxies)
            if let certificates { return TLSChannel(base: counted, certificates: certificates) }
            return counted
        } whenOpen: { channel in
            // Before other users may connect.
            let isRefusing = await PassedDescriptors.refuse(channel)
            let isForGroup = socket.map { $0.isForGroup || !isRefusing } ?? false
            let mode = isForGroup ? SocketFile.forGroup : SocketFile.forAll
            try? await channel.pipeline.addHandler(ShortageHandler(connections), position: .first)
            do throws(ServerError) { try socket?.open(mode: mode) } catch {
                state.fail(error)
                try? await channel.close()
                return
            }
            state.begin(channel, socket)
            ready(
                ReadyListener(
                    address: address.withPort(of: channel),
                    isClosedToUsers: isForGroup && socket?.isForGroup == false))
        }
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
