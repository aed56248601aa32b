// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage
internal import NIOCore

/// The proxies that the server trusts to name their clients.
///
/// Programs of certain users of this host connect to a Unix socket and send `X-Forwarded-For`. Proxies with certain
/// addresses connect to a port and begin with a ``ProxyHeader``. Their `X-Forwarded-For` comes from the client.
package struct TrustedProxies: Sendable, Equatable {
    private var names: [String] = []
    private var users: Set<UInt32> = []
    private var addresses: Set<NetworkAddress> = []

    package init() {}

    /// Whether there are no trusted proxies.
    package var isEmpty: Bool { names.isEmpty }

    /// Whether clients see the certificate of a proxy. Proxies with an address pass TLS through.
    var endTLS: Bool { !users.isEmpty }

    /// Reads `no`, or users of this host and IP addresses, separated by commas.
    ///
    /// - Returns: nil for anything else, for example for a user who does not exist.
    init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
        if words == ["no"] { return }
        guard !words.isEmpty else { return nil }
        for word in words {
            if let address = NetworkAddress(word) {
                addresses.insert(address)
                continue
            }
            guard let entry = unsafe getpwnam(word) else { return nil }
            users.insert(unsafe entry.pointee.pw_uid)
        }
        names = words
    }

    /// Whether the same users of this host are trusted. Addresses do not change what a setup needs.
    package func hasSameUsers(as other: TrustedProxies) -> Bool { users == other.users }

    /// The value in `server.conf`.
    var text: String { isEmpty ? "no" : names.joined(separator: ",") }

    /// Whether the peer of a port is a trusted proxy.
    func include(address: String?) -> Bool { address.flatMap { NetworkAddress($0) }.map(addresses.contains) ?? false }

    /// Whether the peer of a Unix socket is a trusted proxy.
    func include(_ source: RequestSource) -> Bool {
        if case .user(let user) = source { users.contains(user) } else { false }
    }

    /// The source of a request: the address that a trusted proxy reports, otherwise the peer.
    ///
    /// - Parameter forwarded: `X-Forwarded-For`. Only the last address counts, which the proxy itself saw.
    func source(of peer: RequestSource, forwarded: String?) -> RequestSource {
        guard let forwarded, include(peer) else { return peer }
        return RequestSource(forwarded: forwarded.split(separator: ",").last.map(String.init) ?? "")
    }
}

extension RequestSource {
    /// The source for a numeric address.
    init(address text: String) { self = NetworkAddress(text)?.source ?? .unknown }

    /// The source that a proxy reports: `IP`, `IP:PORT`, `[IPV6]` or `[IPV6]:PORT`, with or without quotes.
    init(forwarded: String) {
        var text = forwarded.filter { !$0.isWhitespace && $0 != "\"" }[...]
        if text.hasPrefix("[") {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.filter({ $0 == ":" }).count == 1 {
            text = text.prefix { $0 != ":" }
        }
        self.init(address: String(text))
    }
}

enum ConnectedPeer {
    /// The result of SO_PEERCRED. The C library's own type cannot be used with NIO's generic call.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Asks the system. On the channel's own loop the answer is immediate.
    static func of(_ channel: any Channel) -> EventLoopFuture<RequestSource> {
        if let text = channel.remoteAddress?.ipAddress {
            return channel.eventLoop.makeSucceededFuture(RequestSource(address: text))
        }
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(.unknown)
        }
        let answer: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: SocketOptionLevel(SOL_SOCKET), name: SocketOptionName(SO_PEERCRED))
        return answer.map { .user($0.user) }.recover { _ in .unknown }
    }
}

/// The warning at the start of a server behind a proxy that is not configured.
///
/// Such a server treats all clients behind the proxy as one source, and a rate limit that one of them exceeds stops all
/// of them.
struct ProxyAdvice {
    private let publicURL: String

    /// Nil if there is nothing to warn about: without a proxy, or with a trusted one.
    ///
    /// - Parameter addresses: all on which the server listens, without TLS.
    init?(_ publicURL: String, proxies: TrustedProxies, addresses: [ListenAddress]) {
        guard !publicURL.isEmpty, !PublicURL.isLoopback(publicURL), proxies.isEmpty, addresses.allSatisfy(\.isLocal)
        else { return nil }
        self.publicURL = publicURL
    }

    var text: String {
        """
        clients reach this server through a proxy (\(publicURL)), but no proxy is trusted. All clients count as one \
        source and share its limits. Let the proxy connect to a Unix socket and add X-Forwarded-For. In server.conf set \
        trusted_proxy = USER (the user that the proxy runs as), and restart the server
        """
    }
}
