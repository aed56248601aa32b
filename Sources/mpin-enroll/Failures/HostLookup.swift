// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The check whether this machine can resolve the name in a server's address.
enum HostLookup {
    /// The host whose name cannot be resolved; `nil` if it can be, and for IP addresses and sockets.
    static func unknownHost(in server: String) -> String? {
        let scheme = "https://"
        guard server.lowercased().hasPrefix(scheme) else { return nil }
        let authority = server.dropFirst(scheme.count).prefix { $0 != "/" }
        guard !authority.hasPrefix("[") else { return nil }
        let host = String(authority.prefix { $0 != ":" })
        var found: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, nil, nil, &found)
        if let found = unsafe found { unsafe freeaddrinfo(found) }
        return result == 0 ? nil : host
    }
}
