internal import Glibc
internal import NIOCore

/// Finds out who is at the other end of a connection.
enum PeerSource {
    /// What SO_PEERCRED gives; the C library's own type cannot pass through NIO's generic call.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// The source of a request.
    ///
    /// - Parameter forwarded: what a trusted proxy said in `X-Forwarded-For`; believed of a loopback peer alone, and
    ///   only the last address, which is the one the proxy saw.
    static func of(_ channel: any Channel, forwarded: String?) async -> Source {
        guard let text = channel.remoteAddress?.ipAddress else { return await user(of: channel) }
        guard let forwarded, text.hasPrefix("127.") || text == "::1" else { return named(text) }
        return named(forwarded.split(separator: ",").last.map { $0.filter { !$0.isWhitespace } } ?? "")
    }

    /// The user id of the process that connected to a socket of this host.
    private static func user(of channel: any Channel) async -> Source {
        guard let provider = channel as? any SocketOptionProvider else { return .unknown }
        do {
            let credentials: Credentials = try await provider.unsafeGetSocketOption(
                level: SocketOptionLevel(SOL_SOCKET), name: SocketOptionName(SO_PEERCRED)
            ).get()
            return .user(credentials.user)
        } catch {
            return .unknown
        }
    }

    /// The source behind a numeric address.
    private static func named(_ text: String) -> Source {
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 { return .address(text) }
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return .unknown }
        return .address(network(bytes))
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
