// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

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
