// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Hummingbird's HTTP/1 channel with a limit on the number of connections and limits for each of them.
struct CountedChannel: ServerChildChannel {
    /// The error of a connection that is closed at once, because its peer may not connect or no other one gives way.
    private struct ConnectionError: Error {}

    let base: HTTP1Channel
    let connections: Connections
    /// Peers with these addresses begin with a ``ProxyHeader``.
    var proxies = TrustedProxies()
    /// Which peers may connect. Connections of others are closed without an answer.
    var accepts: @Sendable (RequestSource) -> Bool = { _ in true }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let namesClient = proxies.include(address: channel.remoteAddress?.ipAddress)
        return ConnectedPeer.of(channel).flatMap { peer in
            let isProxy = namesClient || proxies.include(peer)
            guard accepts(peer), let connection = open(channel, peer, isProxy: isProxy) else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(ConnectionError())
            }
            return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                let limits = ConnectionLimitHandler(connection)
                try pipeline.addHandler(limits, position: .after(decoder.handler))
                try pipeline.addHandler(GiveWayHandler(), position: .first)
                if namesClient {
                    let header = ProxyHeaderHandler { accept($0, on: channel, limits) }
                    try pipeline.addHandler(header, position: .first)
                }
                return value
            }
        }
    }

    /// Gives the connection a place until it is closed.
    private func open(_ channel: any Channel, _ source: RequestSource, isProxy: Bool) -> OpenConnection? {
        let connection = connections.open(source, isProxy: isProxy) {
            channel.triggerUserOutboundEvent(GiveWayHandler.GiveWay(), promise: nil)
        }
        if let connection { channel.closeFuture.whenComplete { _ in connection.close() } }
        return connection
    }

    /// Exchanges the place of a proxy for one of the client that it names.
    ///
    /// - Returns: false if the connection must be closed.
    private func accept(_ header: ProxyHeader, on channel: any Channel, _ limits: ConnectionLimitHandler) -> Bool {
        guard case .complete(let client, _) = header else {
            connections.warn(ofHeaderFrom: limits.connection.source)
            return false
        }
        guard let client else { return true }
        limits.connection.close()
        guard let connection = open(channel, client, isProxy: false) else { return false }
        limits.connection = connection
        return true
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

extension OpenConnection {
    /// The source of a channel's connection; unknown if it is closed.
    static func source(of channel: any Channel) -> EventLoopFuture<RequestSource> {
        channel.eventLoop.submit {
            let limits = try? channel.pipeline.syncOperations.handler(type: ConnectionLimitHandler.self)
            return limits?.connection.source ?? .unknown
        }
    }
}

extension HTTP1Channel.Configuration {
    /// Limits the size of heads, and closes connections without requests.
    static func limited(_ handlers: @autoclosure @escaping @Sendable () -> [any RemovableChannelHandler] = []) -> Self {
        Self(
            additionalChannelHandlers: handlers(), idleTimeout: ConnectionLimitHandler.patience,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
    }
}

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

/// Answers `Expect: 100-continue`. Clients of 2016 would otherwise wait for a second before they send the body.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data),
            let name = HTTPField.Name("Expect"), request.headerFields[name]?.lowercased() == "100-continue",
            // Without a body there is nothing to wait for.
            request.headerFields[.contentLength] != nil || request.headerFields[.transferEncoding] != nil
        {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }
}

/// Wipes the body of each response after it was written, or after writing failed, because some bodies contain secrets.
///
/// The buffer of a body belongs only to this response, and is not read afterwards.
final class WipingHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(let body) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in Self.wipe(body) }
        context.write(data, promise: written)
    }

    /// Writes to the buffer itself. ``ByteBuffer`` would copy a buffer with other references.
    private static func wipe(_ body: ByteBuffer) {
        unsafe body.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe explicit_bzero(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }
}
