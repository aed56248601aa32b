// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

/// The address on which a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// A socket in the file system, by its absolute or relative path.
    case unix(path: String)
    /// A port of an address of this host. The system chooses the port if it is 0.
    case tcp(host: String, port: Int)

    /// Reads `unix:PATH`, `HOST:PORT` or `[IPV6]:PORT`. A host is a numeric address or `localhost`.
    package init(_ text: String) throws(ServerError) {
        let hint = "Write unix:PATH, 127.0.0.1:PORT or [::1]:PORT."
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // struct sockaddr_un has room for 108 bytes with the terminating zero.
            guard 1...107 ~= path.utf8.count, !path.utf8.contains(0) else {
                throw ServerError(.usage, "the path of a socket must have 1 to 107 bytes", hint: hint)
            }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), 0...65_535 ~= port
        else { throw ServerError(.usage, "not an address to listen on: \(text)", hint: hint) }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        let isNumeric = !host.isEmpty && host.utf8.allSatisfy { "0123456789abcdefABCDEF.:".utf8.contains($0) }
        guard isNumeric else { throw ServerError(.usage, "not a numeric address: \(host)", hint: hint) }
        self = .tcp(host: host, port: port)
    }

    /// Whether only this host can reach it.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host.hasPrefix("127.") && !host.contains(":") || host == "::1"
        }
    }

    /// Whether it is a socket in the file system.
    var isSocket: Bool { if case .unix = self { true } else { false } }

    /// The address in the ready line.
    package var text: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
