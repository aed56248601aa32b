// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage

/// A numeric IP address. An IPv4 address is stored as the IPv6 address that contains it.
struct NetworkAddress: Hashable, Sendable {
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    private let bytes: [UInt8]

    /// - Parameter bytes: 4 or 16 bytes.
    init(_ bytes: some Collection<UInt8>) { self.bytes = (bytes.count == 4 ? Self.mapped : []) + bytes }

    /// Reads an address. A name of a host is not one.
    init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes.prefix(4))
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes)
        } else {
            return nil
        }
    }

    /// The source of requests from this address: an IPv4 address, or the first 64 bits of an IPv6 address.
    var source: RequestSource {
        if bytes.starts(with: Self.mapped) {
            return .address(bytes.suffix(4).map(String.init).joined(separator: "."))
        }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return .address(groups.joined(separator: ":") + "::/64")
    }
}
