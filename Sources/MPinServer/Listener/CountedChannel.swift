internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Hummingbird's HTTP/1 channel with a limit on the number of connections and limits for each of them.
struct CountedChannel: ServerChildChannel {
    /// The error of a connection that is closed at once because a limit is reached.
    private struct Refused: Error {}

    let base: HTTP1Channel
    let connections: Connections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        ConnectedPeer.of(channel).flatMap { peer in
            guard connections.open(peer) else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(Refused())
            }
            channel.closeFuture.whenComplete { _ in connections.close(peer) }
            return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(ConnectionLimitHandler(), position: .after(decoder.handler))
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
