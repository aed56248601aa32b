internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Wipes the body of each response when it has been written, or cannot be: some bodies carry secrets.
///
/// The buffer of a body is this response's alone, and nothing reads it afterwards.
final class WipingHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(let body) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in Self.wipe(body) }
        context.write(data, promise: written)
    }

    /// Writes to the buffer itself: ``ByteBuffer`` would make a copy of one that others refer to.
    private static func wipe(_ body: ByteBuffer) {
        unsafe body.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe explicit_bzero(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }
}
