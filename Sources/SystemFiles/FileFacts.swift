// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What the system knows about a file: its type, owner, mode and size.
package struct FileFacts: Sendable {
    private let status: stat

    package var owner: UInt32 { status.st_uid }
    package var group: UInt32 { status.st_gid }
    /// The type and the permissions.
    package var mode: UInt32 { status.st_mode }
    package var size: Int { Int(status.st_size) }
    package var linkCount: Int { Int(status.st_nlink) }
    package var identity: FileIdentity { FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) }

    /// The type alone, as one of the constants S_IF of the system.
    package var kind: UInt32 { mode & S_IFMT }
    package var isDirectory: Bool { kind == S_IFDIR }
    package var isFile: Bool { kind == S_IFREG }
    package var isSocket: Bool { kind == S_IFSOCK }
    package var isLink: Bool { kind == S_IFLNK }

    /// Whether it belongs to root or to the user whose permissions this process has.
    package var isTrusted: Bool { owner == 0 || owner == geteuid() }
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }
    package var isAccessibleToOthers: Bool { mode & 0o077 != 0 }
    /// In a directory with this bit, such as /tmp, only its owner can replace the files of other users.
    package var isSticky: Bool { mode & S_ISVTX != 0 }

    private init?(_ call: (inout stat) -> Int32) {
        var status = stat()
        guard call(&status) == 0 else { return nil }
        self.status = status
    }

    /// The facts about a file; a symbolic link is not followed.
    package init?(of path: String) { self.init { unsafe lstat(path, &$0) } }

    /// The facts about a file, or about the target of a symbolic link.
    package init?(target path: String) { self.init { unsafe stat(path, &$0) } }

    package init?(of descriptor: Int32) { self.init { unsafe fstat(descriptor, &$0) } }

    /// The facts about a file in an open directory; a symbolic link is not followed.
    package init?(of name: String, in directory: Int32) {
        self.init { unsafe fstatat(directory, name, &$0, AT_SYMLINK_NOFOLLOW) }
    }

    /// The facts about a file, or why there are none; a symbolic link is not followed.
    package static func of(_ path: String) -> Result<FileFacts, SystemError> {
        FileFacts(of: path).map { .success($0) } ?? .failure(SystemError())
    }

    /// The facts about a file, or about the target of a symbolic link, or why there are none.
    package static func of(target path: String) -> Result<FileFacts, SystemError> {
        FileFacts(target: path).map { .success($0) } ?? .failure(SystemError())
    }

    package static func isThere(_ path: String) -> Bool { FileFacts(of: path) != nil }

    /// The name of a user; nil if the user has no account.
    package static func account(_ uid: UInt32) -> String? {
        guard let entry = unsafe getpwuid(uid) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}

/// Identifies a file regardless of its name.
package struct FileIdentity: Sendable, Equatable {
    package let device: UInt64
    package let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// Follows a symbolic link. Nil if the file does not exist.
    package init?(of path: String) {
        guard let facts = FileFacts(target: path) else { return nil }
        self = facts.identity
    }
}
