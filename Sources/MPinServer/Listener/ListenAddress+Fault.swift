// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

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
