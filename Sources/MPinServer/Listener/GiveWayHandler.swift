// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// Closes a connection that gives way to another one.
///
/// It is the first handler, so that the socket is closed at once. TLS would wait seconds for the peer.
final class GiveWayHandler: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = Never

    /// The event that closes the connection.
    struct GiveWay: Sendable {}

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if event is GiveWay {
            context.close(promise: promise)
        } else {
            context.triggerUserOutboundEvent(event, promise: promise)
        }
    }
}
