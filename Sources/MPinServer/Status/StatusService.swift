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
        let socket = SocketFile(path: path)
        try socket.makeRoom()
        let application = Hummingbird.Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                StatusChannel(base: HTTP1Channel(responder: responder, configuration: .limited()))
            },
            configuration: ApplicationConfiguration(address: .unixDomainSocket(path: path), serverName: "mpin-server"),
            onServerRunning: { _ in
                do throws(ServerError) {
                    // StatusChannel checks which users may ask.
                    try socket.open(mode: SocketFile.forGroup)
                } catch {
                    logger.critical("\(error.message)")
                }
            },
            logger: logger)
        do {
            try await application.run()
        } catch let error as IOError {
            throw ListenAddress.unix(path: path).fault(error.errnoCode)
        }
        socket.remove()
    }
}
