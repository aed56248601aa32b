// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

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
