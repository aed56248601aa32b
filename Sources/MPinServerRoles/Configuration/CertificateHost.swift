// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinServerStorage

/// The host of a server's public address, as certificates name it.
package struct CertificateHost: Sendable, Equatable {
    /// The name in the certificate: `DNS:NAME` or `IP:ADDRESS`.
    let subject: String
    /// What the server's key may sign, for programs that trust it; nil for an address: OpenSSL has no form that excludes all
    /// names of hosts.
    let constraint: String?

    /// - Parameter url: a checked `https` address.
    package init(url: String) throws(ServerError) {
        let host = PublicURL.host(url)
        guard !url.dropFirst("https://".count).contains("/") else {
            throw ServerError(
                .configuration, "a server that signs its own certificate needs an address without a path, not \(url)")
        }
        if Self.isAddress(host, AF_INET) || Self.isAddress(host, AF_INET6) {
            (subject, constraint) = ("IP:\(host)", nil)
            return
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy {
                    Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        // Programs take a name that ends in a number for an address.
        guard isName, host.utf8.count <= 253, let last = labels.last, last.utf8.contains(where: Self.isLetter) else {
            throw ServerError(.configuration, "no certificate can name the host of \(url)")
        }
        subject = "DNS:\(host)"
        constraint = "critical,permitted;DNS:\(host),excluded;IP:0.0.0.0/0.0.0.0,excluded;IP:::/::"
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(family, text, &address) == 1
    }
}
