// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinConfiguration
import SystemFiles

/// The account that serves a Unix socket, as the kernel reports it.
struct SocketOwner {
    private let uid: uid_t

    /// Returns `nil` if the server has no socket, or no process serves it.
    init?(_ server: String, type: __socket_type = SOCK_STREAM) {
        let prefix = "unix:"
        guard server.hasPrefix(prefix),
            let socket = try? SystemFile.socket(String(server.dropFirst(prefix.count)), type: type.rawValue),
            let peer = socket.peer
        else { return nil }
        uid = peer
    }

    var isRoot: Bool { uid == 0 }

    /// The account's name; `nil` if the system has none.
    var name: String? { FileFacts.account(uid) }

    /// The reason why the server at this socket is not trusted, and the hint.
    func distrust(_ server: String, _ configuration: Configuration) -> (sentence: String, advice: Advice) {
        let user = configuration.serverUser
        // A lookup that failed before may succeed now.
        guard !isRoot, name != user, !AccountName.isLookupBroken(user) else {
            return (
                "The account '\(user)' could not be looked up, so \(server) is not trusted.",
                Advice("Check: getent passwd \(CommonOptions.quoted(user))")
            )
        }
        return (
            "\(server) is served by \(text), not by the account '\(user)' or root.",
            Advice("If that is the right account, add to \(configuration.file): server_user = \(name ?? "NAME")")
        )
    }

    var text: String { name.map { "the account '\($0)'" } ?? "a user without an account (\(uid))" }
}
