// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage

/// The file of a listening socket.
struct SocketFile: Sendable {
    let path: String

    /// Removes a socket file if no server listens on it.
    ///
    /// - Throws: ``ServerError`` if a server listens on it, or if another kind of file has that name.
    func makeRoom() throws(ServerError) {
        switch FileFacts.of(path) {
        case .failure(let error):
            guard error.number == ENOENT else { throw error.fault(path, hint: "") }
        case .success(let facts):
            guard facts.isSocket else {
                throw ServerError(.cannotCreate, "\(path) exists and is not a socket", hint: "Nothing was changed.")
            }
            guard !isAnswered() else {
                throw ServerError(
                    .unavailable, "another process already listens on \(path)",
                    hint: "Choose another path, or stop that process.\nCheck: sudo ss -xlp src \(path)")
            }
            guard unsafe unlink(path) == 0 else {
                throw ServerError(.cannotCreate, "cannot replace \(path): \(SystemError().text)")
            }
        }
    }

    /// O_PATH of Linux, which the C library's header hides from Swift.
    private static let pathOnly: Int32 = 0o10_000_000

    /// The mode of a socket for all users of this host. The kernel reports who a peer is.
    static let forAll: UInt32 = 0o666

    /// The mode of a socket for root and the server's own group.
    static let forGroup: UInt32 = 0o660

    /// Lets other users connect.
    func open(mode: UInt32) throws(ServerError) {
        // By a descriptor, so that it changes this socket and not a file or link that another process has put in its
        // place.
        let file = unsafe Glibc.open(path, Self.pathOnly | O_NOFOLLOW | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        var facts = stat()
        guard file >= 0, unsafe fstat(file, &facts) == 0 else {
            throw ServerError(.cannotCreate, "cannot let other users connect to \(path): \(SystemError().text)")
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK, facts.st_uid == geteuid() else {
            throw ServerError(.cannotCreate, "another file has replaced the socket \(path)")
        }
        guard unsafe chmod("/proc/self/fd/\(file)", mode) == 0 else {
            throw ServerError(.cannotCreate, "cannot let other users connect to \(path): \(SystemError().text)")
        }
    }

    /// Removes the file, unless it belongs to another server.
    func remove() {
        if case .success(let facts) = FileFacts.of(path), facts.isSocket, !isAnswered() { unsafe unlink(path) }
    }

    private func isAnswered() -> Bool {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return true }
        defer { close(file) }
        let result = connect(file)
        // A full backlog or a missing permission also means that a process listens.
        return result == 0 || errno != ECONNREFUSED && errno != ENOENT
    }

    /// Connects a socket to this one.
    ///
    /// - Returns: the result of connect(2).
    func connect(_ file: Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let text = Array(path.utf8)
        let fits = unsafe Swift.withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard text.count < target.count else { return false }
            unsafe target.copyBytes(from: text)
            return true
        }
        guard fits else {
            errno = ENOENT
            return -1
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Glibc.connect(file, $0, size) }
        }
    }
}
