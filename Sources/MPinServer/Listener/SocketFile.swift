// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import NIOCore
internal import SystemFiles

struct SocketFile: Sendable {
    let path: String

    /// Removes a socket file if no server listens on it.
    ///
    /// - Throws: ``ServerError`` if a server listens on it, or if another kind of file has that name.
    func makeRoom() throws(ServerError) {
        switch FileFacts.of(path) {
        case .failure(let error): guard error.number == ENOENT else { throw error.fault(path, hint: "") }
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

    /// Whether it is for one group, such as that of a proxy: only that group can search its directory. A new file gets
    /// the group of a directory with the set-group-ID bit.
    var isForGroup: Bool {
        FileFacts(target: FileName.parent(of: FileName.absolute(path))).map { $0.mode & 0o001 == 0 } ?? false
    }

    /// Lets other users connect.
    func open(mode: UInt32) throws(ServerError) {
        // By a descriptor, so that it changes this socket and not a file or link that another process has put in its
        // place.
        guard let file = try? SystemFile(path, Self.pathOnly | O_NOFOLLOW), let facts = file.facts else {
            throw ServerError(.cannotCreate, "cannot let other users connect to \(path): \(SystemError().text)")
        }
        guard facts.isSocket, facts.owner == geteuid() else {
            throw ServerError(.cannotCreate, "another file has replaced the socket \(path)")
        }
        guard unsafe chmod("/proc/self/fd/\(file.descriptor)", mode) == 0 else {
            throw ServerError(.cannotCreate, "cannot let other users connect to \(path): \(SystemError().text)")
        }
    }

    /// Removes the file, unless it belongs to another server.
    func remove() { if let facts = FileFacts(of: path), facts.isSocket, !isAnswered() { unsafe unlink(path) } }

    private func isAnswered() -> Bool {
        do throws(SystemError) { _ = try SystemFile.socket(path) } catch {
            // A full backlog or a missing permission also means that a process listens.
            return ![ECONNREFUSED, ENOENT].contains(error.number)
        }
        return true
    }
}

/// Descriptors that local clients may send with a request.
enum PassedDescriptors {
    /// SO_PASSRIGHTS of Linux 6.16, which the C library's headers lack.
    private static let option = NIOBSDSocket.Option(rawValue: 83)

    /// Makes the kernel refuse them on every connection of a listening socket. Closing an unexpected descriptor may
    /// block an event loop for as long as its owner wants.
    ///
    /// - Returns: whether it does. Older kernels do not have this option.
    static func refuse(_ listener: any Channel) async -> Bool {
        guard let provider = listener as? any SocketOptionProvider else { return false }
        let result: Void? = try? await provider.unsafeSetSocketOption(level: .socket, name: option, value: CInt(0))
            .get()
        return result != nil
    }
}
