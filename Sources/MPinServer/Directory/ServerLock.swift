// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinServerStorage

/// The lock that lets only one process serve a directory, because the count of attempts needs a single server.
final class ServerLock: Sendable {
    /// A length above that of any socket path.
    private static let longestPath = 256

    private let file: Int32

    /// Takes the lock.
    ///
    /// - Parameter directory: the directory to serve. The lock belongs to its owner, even if root serves it once.
    /// - Throws: ``ServerError`` of kind `unavailable` while another process holds it.
    init(_ directory: ServerDirectory) throws(ServerError) {
        let path = directory.lock
        let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let error = SystemError()
            if error.number == EACCES {
                throw ServerError(
                    .notPermitted, "\(path) belongs to another user, because that user once started mpin-server",
                    hint: "Run: sudo chown --reference=\(directory.path) \(path)")
            }
            throw ServerError(.storage, "cannot open \(path): \(error.text)")
        }
        // Only a file that root has just made, or left here. The owner could have put another file of root in its
        // place.
        var made = stat()
        if geteuid() == 0, case .success(let facts) = FileFacts.of(directory.path), facts.owner != 0,
            unsafe fstat(file, &made) == 0, made.st_uid == 0, made.st_nlink == 1, made.st_mode & S_IFMT == S_IFREG,
            made.st_mode & 0o077 == 0
        {
            _ = fchown(file, facts.owner, gid_t.max)
        }
        do throws(ServerError) { try RegularFile.check(path) } catch {
            close(file)
            throw error
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(of: file)
            close(file)
            throw Self.busy(directory, holder)
        }
        self.file = file
    }

    deinit { close(file) }

    /// Writes the path of the server's status socket into the lock file, for `backup`; nil for none.
    ///
    /// If it cannot be written, `backup` finds no socket and opens the key itself.
    func announce(statusSocket: String?) {
        _ = ftruncate(file, 0)
        guard var path = statusSocket else { return }
        if !path.hasPrefix("/") { path = FileManager.default.currentDirectoryPath + "/" + path }
        let bytes = Array(path.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    /// The status socket of the last server of a directory; nil for none.
    static func statusSocket(of directory: ServerDirectory) -> String? {
        // The directory's owner could have put another kind of file there, and opening a named pipe would block root.
        let file = unsafe open(directory.lock, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            let bytes = try? PrivateFile.read(from: file, directory.lock, upTo: longestPath),
            let path = String(bytes: bytes, encoding: .utf8), path.hasPrefix("/")
        else { return nil }
        return path
    }

    private static func busy(_ directory: ServerDirectory, _ holder: Int32?) -> ServerError {
        // An administrator's command ends by itself, and does not belong to a unit.
        if let holder, let command = Self.command(of: holder), command != "serve" {
            return ServerError(
                .unavailable, "'mpin-server \(command)' (process \(holder)) is using this directory",
                hint: "Nothing was changed. Wait until it ends, then try again.\nOr stop it: "
                    + "sudo kill \(holder)")
        }
        let isUnit =
            directory.path == ServerDirectory.installed && FileManager.default.fileExists(atPath: "/run/systemd/system")
        let stop = isUnit ? "sudo systemctl stop mpin-server" : holder.map { "sudo kill \($0)" }
        return ServerError(
            .unavailable, "another mpin-server\(holder.map { " (process \($0))" } ?? "") serves this directory",
            hint: stop.map { "Stop it first: \($0)" } ?? "Stop it first.")
    }
}
