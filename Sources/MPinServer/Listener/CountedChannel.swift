internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// A connection of Hummingbird's that is counted and protected against slow clients.
struct CountedChannel: ServerChildChannel {
    /// Why a connection is closed as soon as it is there.
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
                try pipeline.addHandler(ConnectionGuard(), position: .after(decoder.handler))
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

/// Logs that the system cannot accept more connections.
final class ShortageHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = Channel

    private let connections: Connections

    init(_ connections: Connections) { self.connections = connections }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError { connections.complain(ofShortage: error.description) }
        context.fireErrorCaught(error)
    }
}
