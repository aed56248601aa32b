// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

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

extension ListenAddress {
    /// The error if the server cannot listen here, with a hint.
    func fault(_ number: Int32) -> ServerError {
        ServerError(
            number == EACCES ? .notPermitted : .unavailable,
            "cannot listen on \(text): \(SystemError(number).text)", hint: hint(number))
    }

    private func hint(_ number: Int32) -> String {
        switch (self, number) {
        case (.unix(let path), ENOENT):
            return "Create its directory for the server's account: "
                + Self.make(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        case (.unix, EACCES):
            // Never the directory itself, which may belong to the system: the command would change its owner.
            return "Put the socket in a directory that the server owns, for example: unix:/run/mpin/server.sock\n"
                + "Create the directory: " + Self.make("/run/mpin")
        case (.tcp(_, let port), EACCES) where port < 1_024:
            return "Ports below 1024 require CAP_NET_BIND_SERVICE. Or choose a higher port."
        case (.tcp(_, let port), EADDRINUSE):
            return "Choose another port, or stop the process that listens there.\nCheck: sudo ss -tlnp sport = :\(port)"
        default: return ""
        }
    }

    private static func make(_ directory: String) -> String {
        let account = FileFacts.account(geteuid()) ?? "\(geteuid())"
        return "sudo install -d -o \(ShellWord.operand(account)) -m 0755 \(ShellWord.operand(directory))"
    }
}
