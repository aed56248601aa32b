// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Hummingbird's HTTP/1 channel with a limit on the number of connections and limits for each of them.
struct CountedChannel: ServerChildChannel {
    /// The error of a connection that is closed at once, because no other one gives way.
    private struct ConnectionError: Error {}

    let base: HTTP1Channel
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        ConnectedPeer.of(channel).flatMap { peer in
            let giveWay: @Sendable () -> Void = {
                channel.triggerUserOutboundEvent(GiveWayHandler.GiveWay(), promise: nil)
            }
            guard let connection = connections.open(peer, giveWay: giveWay) else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(ConnectionError())
            }
            channel.closeFuture.whenComplete { _ in connection.close() }
            return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(ConnectionLimitHandler(connection), position: .after(decoder.handler))
                try pipeline.addHandler(GiveWayHandler(), position: .first)
                return value
            }
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}
