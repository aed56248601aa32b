// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import NIOHTTP1

/// A connection of the status socket, for root and the server's account. Other connections are closed without an
/// answer.
struct StatusChannel: ServerChildChannel {
    /// The error of a connection of another user.
    private struct ConnectionError: Error {}

    let base: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        ConnectedPeer.of(channel).flatMap { source in
            guard [.user(0), .user(geteuid())].contains(source) else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(ConnectionError())
            }
            return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(ConnectionLimitHandler(), position: .after(decoder.handler))
                return value
            }
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
