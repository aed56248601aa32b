// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Answers the requests at an address.
protocol HTTPResponder: Sendable {
    /// - Parameter channel: the connection, which determines the source of the request.
    func respond(to request: HummingbirdCore.Request, on channel: any Channel) async throws -> HummingbirdCore.Response
}

extension ListenAddress {
    /// Serves HTTP here until the server stops.
    ///
    /// - Parameters:
    ///   - channel: makes the channels of the connections, from what answers their requests.
    ///   - whenOpen: called when connections are accepted.
    func serve(
        _ responder: some HTTPResponder, logger: Logger,
        channel: @escaping @Sendable (@escaping HTTPChannelHandler.Responder) -> any ServerChildChannel,
        whenOpen: @escaping @Sendable (any Channel) async -> Void
    ) async throws {
        let server = try HTTPServerBuilder(channel).buildServer(
            configuration: HummingbirdCore.ServerConfiguration(address: binding, backlog: 1_024),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
            responder: { request, writer, channel in
                var response: HummingbirdCore.Response
                do { response = try await responder.respond(to: request, on: channel) } catch let error
                    as HTTPParserError
                {
                    // The channel answers it with 400.
                    throw error
                } catch { response = HummingbirdCore.Response(status: .internalServerError) }
                response.headers[.date] = ServerClock.system.now.text("%a, %d %b %Y %H:%M:%S GMT")
                response.headers[.server] = "mpin-server"
                try await writer.write(response: response.head, body: response.body)
            }, onServerRunning: whenOpen)
        try await server.run()
    }
}
