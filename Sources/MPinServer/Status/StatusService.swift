// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import ServiceLifecycle

/// Listens at the status socket.
struct StatusService: Service {
    let path: String
    let responder: StatusResponder
    let logger: Logger

    func run() async throws {
        let (address, socket) = (ListenAddress.unix(path: path), SocketFile(path: path))
        try socket.makeRoom()
        let application = Hummingbird.Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                StatusChannel(base: HTTP1Channel(responder: responder, configuration: .limited()))
            }, configuration: ApplicationConfiguration(address: address.binding, serverName: "mpin-server"),
            onServerRunning: { _ in
                // Before, only the server's account can connect. StatusChannel checks which users may ask.
                do throws(ServerError) { try socket.open(mode: SocketFile.forGroup) } catch {
                    logger.critical("\(error.message)")
                }
            }, logger: logger)
        do { try await application.run() } catch let error as IOError { throw address.fault(error.errnoCode) }
        socket.remove()
    }
}
