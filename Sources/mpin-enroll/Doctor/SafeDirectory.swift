// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A directory that no other user can replace: its path contains no links, and only root and the caller can change the
/// names in it and in the directories above it.
struct SafeDirectory: ~Copyable {
    private let descriptor: Int32

    /// - Returns: `nil` if the path is not absolute, or if a directory on it is missing or unsafe.
    init?(_ path: String) {
        guard path.hasPrefix("/") else { return nil }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var current = unsafe open("/", flags)
        for part in path.split(separator: "/") {
            guard current >= 0 else { return nil }
            let next = unsafe openat(current, String(part), flags)
            close(current)
            current = next
            guard current >= 0, SafeDirectory.isSafe(current) else {
                if current >= 0 { close(current) }
                return nil
            }
        }
        guard current >= 0 else { return nil }
        descriptor = current
    }

    deinit { close(descriptor) }

    private static func isSafe(_ directory: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(directory, &status) == 0, status.st_uid == 0 || status.st_uid == geteuid() else {
            return false
        }
        // In a sticky directory such as /tmp, users cannot replace the files of other users.
        let isSticky = status.st_uid == 0 && status.st_mode & S_ISVTX != 0
        return status.st_mode & 0o022 == 0 || isSticky
    }

    /// Whether its mode gives other users no access.
    var isPrivate: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0
    }

    /// The names in it, sorted; empty if it is unreadable.
    var names: [String] {
        // closedir closes the descriptor that fdopendir gets.
        let own = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return [] }
        guard let listing = unsafe fdopendir(own) else {
            close(own)
            return []
        }
        defer { unsafe closedir(listing) }
        return unsafe MachineFile.names(listing)
    }

    /// The status of a file in it. Does not follow links.
    func status(of name: String) -> stat? {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Sets the mode of a file or directory in it, except of links, files with a second name and files of other users.
    ///
    /// - Returns: whether the mode was set.
    func setMode(_ mode: mode_t, of name: String) -> Bool {
        let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_uid == 0 || status.st_uid == geteuid() else { return false }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG && status.st_nlink == 1 else { return false }
        return fchmod(file, mode) == 0
    }
}
