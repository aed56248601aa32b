// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage
internal import NIOCore

/// The header of the PROXY protocol, version 2, with which a proxy that passes TLS through names its client.
package enum ProxyHeader: Equatable {
    /// A valid beginning.
    case incomplete
    case invalid
    /// A valid header.
    ///
    /// - Parameters:
    ///   - client: nil if the proxy itself is the client.
    ///   - length: the number of its bytes.
    case complete(client: RequestSource?, length: Int)

    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
    /// The bytes before the addresses.
    private static let fixed = 16
    /// The longest addresses and additional fields. The specification has room for 216 bytes of addresses.
    private static let longest = 520

    /// Reads the beginning of a connection.
    package init(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.fixed))
        guard Self.signature.starts(with: head.prefix(12)) else {
            self = .invalid
            return
        }
        self = .incomplete
        // The command, then family and transport. Those of LOCAL have no meaning.
        let size: Int
        switch (head.dropFirst(12).first, head.dropFirst(13).first) {
        case (nil, _), (0x20, nil), (0x21, nil): return
        case (0x20, _), (0x21, 0x00): size = 0
        case (0x21, 0x11): size = 4
        case (0x21, 0x21): size = 16
        default:
            self = .invalid
            return
        }
        guard head.count == Self.fixed else { return }
        let rest = Int(head[14]) << 8 | Int(head[15])
        // Two addresses and two ports.
        guard (size == 0 ? 0 : 2 * size + 4)...Self.longest ~= rest else {
            self = .invalid
            return
        }
        guard bytes.count >= Self.fixed + rest else { return }
        let client = size == 0 ? nil : NetworkAddress(bytes.dropFirst(Self.fixed).prefix(size)).source
        self = .complete(client: client, length: Self.fixed + rest)
    }
}

/// Reads the header at the beginning of a trusted proxy's connection. Without a valid one, it closes the connection.
///
/// It is in front of TLS. ``ConnectionLimitHandler`` limits how long the header takes.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let accepts: (ProxyHeader) -> Bool
    private var received = ByteBuffer()

    /// - Parameter accepts: called with a complete or an invalid header. Returns false to close the connection.
    init(_ accepts: @escaping (ProxyHeader) -> Bool) { self.accepts = accepts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var next = unwrapInboundIn(data)
        received.writeBuffer(&next)
        let header = ProxyHeader(received.readableBytesView)
        guard header != .incomplete else { return }
        guard accepts(header), case .complete(_, let length) = header else { return context.close(promise: nil) }
        received.moveReaderIndex(forwardBy: length)
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
