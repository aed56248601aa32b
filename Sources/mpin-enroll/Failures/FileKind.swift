// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles

/// The type of a file, in words.
enum FileKind {
    static func name(_ kind: UInt32) -> String {
        switch kind {
        case S_IFDIR: "a directory"
        case S_IFREG: "a file"
        case S_IFLNK: "a symbolic link"
        case S_IFCHR, S_IFBLK: "a device"
        case S_IFSOCK: "a socket"
        case S_IFIFO: "a pipe"
        default: "not a regular file"
        }
    }

    /// The type of a file that is not a regular one; `nil` for a regular file and for a missing one.
    static func irregular(_ path: String) -> String? { FileFacts(of: path).flatMap { $0.isFile ? nil : name($0.kind) } }
}
