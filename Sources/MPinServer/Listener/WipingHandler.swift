// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

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
