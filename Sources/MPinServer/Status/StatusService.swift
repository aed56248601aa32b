// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// Listens at the status socket. Logins never depend on it.
struct StatusService: Service {
    let path: String
    let responder: StatusResponder
    let logger: Logger

    func run() async throws {
        let (address, socket) = (ListenAddress.unix(path: path), SocketFile(path: path))
        let state = ListenerState(address)
        try await PersistentListening(address: address, state: state) { [logger] fault in
            logger.error("no status socket: \(fault.message)", metadata: ["hint": "\(fault.hint)"])
        }.run { try await listen(address, socket, state) }
        socket.remove()
    }

    /// Listens until the server stops.
    private func listen(_ address: ListenAddress, _ socket: SocketFile, _ state: ListenerState) async throws {
        try socket.makeRoom()
        let application = Hummingbird.Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                StatusChannel(base: HTTP1Channel(responder: responder, configuration: .limited()))
            }, configuration: ApplicationConfiguration(address: address.binding, serverName: "mpin-server"),
            onServerRunning: { channel in
                // Before, only the server's account can connect. StatusChannel checks which users may ask.
                do throws(ServerError) {
                    try socket.open(mode: SocketFile.forGroup)
                    state.begin(channel, socket)
                } catch {
                    state.fail(error)
                    try? await channel.close()
                }
            }, logger: logger)
        try await application.run()
    }
}
