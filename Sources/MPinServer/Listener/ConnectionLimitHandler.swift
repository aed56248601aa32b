// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOHTTP1

/// Limits the resources of one connection: how long it takes to send a request and to read a response, and how many
/// requests it pipelines. Reports to the table of connections what this one waits for.
///
/// A response may take any time, for example if it waits for a login on a device.
final class ConnectionLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a request may be in transit, and how long the peer may read nothing.
    static let patience = TimeAmount.seconds(15)
    /// How long the connection stays open after the last response was written, for a peer that has not read it yet.
    private static let lingering = TimeAmount.seconds(3)
    /// How many requests may wait for their responses.
    private static let pipelined = 16

    /// Replaced when a proxy has named its client.
    var connection: OpenConnection
    private var receiving: Scheduled<Void>?
    private var draining: Scheduled<Void>?
    private var unanswered = 0
    /// Whether the newest of the unanswered requests is incomplete.
    private var isIncomplete = false
    /// Whether the response needs `Connection: keep-alive`, without which an HTTP/1.0 client closes.
    private var saysKeepAlive = false
    /// Whether the request in progress is the last one on this connection.
    private var isLast = false
    /// Whether everything that is read is dropped.
    private var dropsInput = false

    init(_ connection: OpenConnection) { self.connection = connection }

    // MARK: Requests

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { beginReceiving(context) } }

    func channelActive(context: ChannelHandlerContext) {
        beginReceiving(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !dropsInput else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            unanswered += 1
            isIncomplete = true
            guard unanswered <= Self.pipelined, notePhase() else { return abandon(context) }
            beginReceiving(context)
            guard Self.namesHost(head) else { return refuse(context, .badRequest) }
            if !head.isKeepAlive || Self.asksForOtherProtocol(head) {
                isLast = true
                // Hummingbird checks only this spelling, and does not check the HTTP version.
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            saysKeepAlive = head.isKeepAlive && head.version == .http1_0
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            receiving?.cancel()
            isIncomplete = false
            guard notePhase() else { return refuse(context, .serviceUnavailable) }
            if isLast { dropsInput = true }
            context.fireChannelRead(data)
        }
    }

    /// HTTP/1.1 requires exactly one Host header. With two, a proxy and this server could use different ones.
    private static func namesHost(_ head: HTTPRequestHead) -> Bool {
        let count = head.headers["host"].count
        return count == 1 || count == 0 && head.version == .http1_0
    }

    /// Whether the client wants to continue with another protocol. The server has no other one, but the decoder reads
    /// nothing after such a request. The next request on the connection, which through a proxy can be another user's,
    /// would get no response.
    private static func asksForOtherProtocol(_ head: HTTPRequestHead) -> Bool {
        head.method == .CONNECT || head.headers.contains(name: "upgrade")
    }

    /// - Returns: false if the connection must be closed.
    @discardableResult private func notePhase() -> Bool {
        let complete = isIncomplete ? unanswered - 1 : unanswered
        return connection.wait(for: complete > 0 ? .response : isIncomplete ? .request : .nextRequest)
    }

    private func beginReceiving(_ context: ChannelHandlerContext) {
        receiving?.cancel()
        receiving = close(context, in: Self.patience)
    }

    /// Answers the only request of the connection without a route, and closes the connection.
    private func refuse(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus) {
        dropsInput = true
        guard unanswered == 1 else { return abandon(context) }
        var headers: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
        if status == .serviceUnavailable { headers.add(name: "Retry-After", value: "2") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        finish(context, wrapOutboundOut(.end(nil)), promise: nil)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            if !head.isKeepAlive { (isLast, dropsInput) = (true, true) }
            if isLast, unanswered <= 1 { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            if saysKeepAlive, !isLast { head.headers.replaceOrAdd(name: "Connection", value: "keep-alive") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where isLast && unanswered <= 1: finish(context, data, promise: promise)
        case .end:
            unanswered -= 1
            notePhase()
            context.write(data, promise: promise)
        default: context.write(data, promise: promise)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        draining?.cancel()
        draining = context.channel.isWritable ? nil : close(context, in: Self.patience)
        context.fireChannelWritabilityChanged()
    }

    /// Writes the end of the last response and closes the sending direction. If the socket were closed at once while the
    /// peer still sends, the kernel would reset the connection, and the peer could lose the response.
    private func finish(_ context: ChannelHandlerContext, _ data: NIOAny, promise: EventLoopPromise<Void>?) {
        unanswered = 0
        isIncomplete = false
        receiving?.cancel()
        // Before the peer has the response: it may send its next request on another connection at once.
        notePhase()
        context.writeAndFlush(data, promise: promise)
        context.close(mode: .output, promise: nil)
        receiving = close(context, in: Self.lingering)
    }

    // MARK: Ends

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func abandon(_ context: ChannelHandlerContext) {
        dropsInput = true
        context.close(promise: nil)
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    private func cancel() {
        receiving?.cancel()
        draining?.cancel()
    }
}
