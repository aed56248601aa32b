// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Glibc
import SystemFiles

/// A directory that no other user can replace: its path contains no links, and only root and the caller can change the
/// names in it and in the directories above it.
struct SafeDirectory: ~Copyable {
    private let directory: SystemFile

    /// - Returns: `nil` if the path is not absolute, or if a directory on it is missing or unsafe.
    init?(_ path: String) {
        let descriptor = unsafe mpin_directory_open(path, 0, 0)
        guard descriptor >= 0 else { return nil }
        directory = SystemFile(adopting: descriptor, path: path)
    }

    /// Whether its mode gives other users no access.
    var isPrivate: Bool { directory.facts?.isAccessibleToOthers == false }

    /// The names in it, sorted; empty if it is unreadable.
    var names: [String] { (try? Directory.names(in: ".", at: directory.descriptor)) ?? [] }

    /// The facts about a file in it. Does not follow links.
    func facts(of name: String) -> FileFacts? { FileFacts(of: name, in: directory.descriptor) }

    /// Sets the mode of a file or directory in it, except of links, files with a second name and files of other users.
    ///
    /// - Returns: whether the mode was set.
    func setMode(_ mode: mode_t, of name: String) -> Bool {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = unsafe openat(directory.descriptor, name, flags)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let facts = FileFacts(of: file), facts.isTrusted,
            facts.isDirectory || facts.isFile && facts.linkCount == 1
        else { return false }
        return fchmod(file, mode) == 0
    }
}
