internal import Glibc
internal import NIOCore

/// Who is at the other end of a connection.
struct ConnectedPeer: Sendable {
    let source: RequestSource
    /// Whether it is a program of this host on a loopback address.
    let isLoopback: Bool

    /// What SO_PEERCRED gives; the C library's own type cannot pass through NIO's generic call.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Asks the system. On the channel's own loop the answer is there at once.
    static func of(_ channel: any Channel) -> EventLoopFuture<ConnectedPeer> {
        if let text = channel.remoteAddress?.ipAddress {
            let isLoopback = text.hasPrefix("127.") || text == "::1"
            return channel.eventLoop.makeSucceededFuture(
                ConnectedPeer(source: RequestSource(address: text), isLoopback: isLoopback))
        }
        let unknown = ConnectedPeer(source: .unknown, isLoopback: false)
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(unknown)
        }
        let answer: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: SocketOptionLevel(SOL_SOCKET), name: SocketOptionName(SO_PEERCRED))
        return answer.map { ConnectedPeer(source: .user($0.user), isLoopback: false) }.recover { _ in unknown }
    }
}

extension RequestSource {
    /// The source behind a numeric address.
    init(address text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self = .address(text)
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            self = .address(Self.network(bytes))
        } else {
            self = .unknown
        }
    }

    /// The source that a proxy names: `IP`, `IP:PORT`, `[IPV6]` or `[IPV6]:PORT`, with or without quotes.
    init(forwarded: String) {
        var text = forwarded.filter { !$0.isWhitespace && $0 != "\"" }[...]
        if text.hasPrefix("[") {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.filter({ $0 == ":" }).count == 1 {
            text = text.prefix { $0 != ":" }
        }
        self.init(address: String(text))
    }

    /// The first 64 bits of an IPv6 address; an IPv4 address inside one as itself.
    private static func network(_ bytes: [UInt8]) -> String {
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes.suffix(4).map(String.init).joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}
