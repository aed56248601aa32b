internal import Foundation
internal import Glibc

/// The lock that lets one process at a time serve a directory: the count of attempts needs a single server.
final class ServerLock: Sendable {
    private let file: Int32

    /// Takes the lock.
    ///
    /// - Parameter directory: what is served. The lock is its owner's, also where root serves it once.
    /// - Throws: ``ServerFault`` of kind `unavailable` while another process holds it.
    init(_ directory: ServerDirectory) throws(ServerFault) {
        let path = directory.lock
        let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let error = SystemError()
            if error.number == EACCES {
                throw ServerFault(
                    .notPermitted, "\(path) belongs to another user: mpin-server was started as that one once",
                    hint: "Run: sudo chown --reference=\(directory.path) \(path)")
            }
            throw ServerFault(.storage, "cannot open \(path): \(error.text)")
        }
        // Only what root has just made, or left here: the owner could have put another file of root's in its place.
        var made = stat()
        if geteuid() == 0, case .success(let facts) = FileFacts.of(directory.path), facts.owner != 0,
            unsafe fstat(file, &made) == 0, made.st_uid == 0, made.st_nlink == 1, made.st_mode & S_IFMT == S_IFREG,
            made.st_mode & 0o077 == 0
        {
            _ = fchown(file, facts.owner, gid_t.max)
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(of: file)
            close(file)
            throw Self.busy(directory, holder)
        }
        self.file = file
    }

    deinit { close(file) }

    private static func busy(_ directory: ServerDirectory, _ holder: Int32?) -> ServerFault {
        // An administrator's command ends by itself, and is no unit's.
        if let holder, let command = Self.command(of: holder), command != "serve" {
            return ServerFault(
                .unavailable, "'mpin-server \(command)', process \(holder), works on this directory",
                hint: "Nothing was changed. Wait until it has ended, and run this again; or end it first: "
                    + "sudo kill \(holder)")
        }
        let isUnit =
            directory.path == ServerDirectory.installed && FileManager.default.fileExists(atPath: "/run/systemd/system")
        let stop = isUnit ? "sudo systemctl stop mpin-server" : holder.map { "sudo kill \($0)" }
        return ServerFault(
            .unavailable, "another mpin-server\(holder.map { ", process \($0)," } ?? "") serves this directory",
            hint: stop.map { "Stop it first: \($0)" } ?? "Stop it first.")
    }
}
