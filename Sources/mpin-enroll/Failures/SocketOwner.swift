// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinConfiguration

/// The account that serves a Unix socket, as the kernel reports it.
struct SocketOwner {
    private let uid: uid_t

    /// Returns `nil` if the server has no socket, or no process serves it.
    ///
    /// - Parameters:
    ///   - server: the server's address.
    ///   - type: the type of its socket.
    init?(_ server: String, type: __socket_type = SOCK_STREAM) {
        let prefix = "unix:"
        guard server.hasPrefix(prefix) else { return nil }
        let path = Array(server.utf8.dropFirst(prefix.utf8.count))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        // `struct ucred`: process, user and group id. Glibc declares it only with _GNU_SOURCE.
        var peer: [UInt32] = [0, 0, 0]
        var length = socklen_t(MemoryLayout<UInt32>.stride * peer.count)
        guard connected == 0, unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else {
            return nil
        }
        uid = peer[1]
    }

    var isRoot: Bool { uid == 0 }

    /// The account's name; `nil` if the system has none.
    var name: String? {
        guard let entry = unsafe getpwuid(uid) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }

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
            Advice(
                "If that is the right account, add to \(configuration.file): server_user = \(name ?? "NAME")")
        )
    }

    var text: String { name.map { "the account '\($0)'" } ?? "a user without an account (\(uid))" }
}
