// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage

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
