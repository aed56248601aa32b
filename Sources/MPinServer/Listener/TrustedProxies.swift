// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage

/// The proxies whose `X-Forwarded-For` the server trusts: programs of certain users of this host that connect to a Unix
/// socket. A client of a port can be any program of any user, so it is never trusted.
package struct TrustedProxies: Sendable, Equatable {
    private var names: [String] = []
    private var users: Set<UInt32> = []

    package init() {}

    /// Whether there are no trusted proxies.
    package var isEmpty: Bool { users.isEmpty }

    /// Reads `no`, or the names of users of this host, separated by commas.
    ///
    /// - Returns: nil for anything else, for example for a user who does not exist.
    init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
        if words == ["no"] { return }
        guard !words.isEmpty else { return nil }
        for word in words {
            guard let entry = unsafe getpwnam(word) else { return nil }
            users.insert(unsafe entry.pointee.pw_uid)
        }
        names = words
    }

    /// The value in `server.conf`.
    var text: String { isEmpty ? "no" : names.joined(separator: ",") }

    /// Whether a peer is a trusted proxy.
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

    /// The first 64 bits of an IPv6 address. An IPv4 address inside an IPv6 address is kept as IPv4.
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
