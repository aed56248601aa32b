// SPDX-License-Identifier: Apache-2.0
internal import CommandSyntax
internal import Foundation
internal import Glibc

/// The result of lstat.
package struct FileFacts: Sendable {
    package let owner: UInt32
    package let mode: UInt32

    package var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    package var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    package var isSocket: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) }

    /// The facts about a file; a symbolic link is not followed.
    package static func of(_ path: String) -> Result<FileFacts, SystemError> {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return .failure(SystemError()) }
        return .success(FileFacts(owner: facts.st_uid, mode: facts.st_mode))
    }

    /// Refuses a file that users other than its owner can write: a user who can change the configuration can log in as
    /// any user.
    ///
    /// For a link, its target counts. The code that reads the file handles a missing file and other kinds of files.
    package static func demandUnalterable(_ path: String) throws(ServerError) {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o022 != 0 else {
            return
        }
        throw ServerError(
            .configuration, "\(path) is writable by users other than its owner",
            hint: "Check its content.\nThen run: chmod go-w \(ShellWord.operand(path))")
    }

    /// The name of a user; nil if the user has no account.
    package static func account(_ uid: UInt32) -> String? {
        guard let entry = unsafe getpwuid(uid) else { return nil }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// Refuses a file that others may read or write, or that another user owns.
    ///
    /// Root may use another account's files: administrators run the commands as root.
    package func demandPrivate(_ path: String) throws(ServerError) {
        let caller = geteuid()
        guard owner == caller || caller == 0 else {
            let account = Self.account(owner)
            throw ServerError(
                .notPermitted, "\(path) belongs to \(account.map { "the account '\($0)'" } ?? "another user")",
                hint: "Run the command as the owner of \(path), user ID \(owner).", account: account)
        }
        guard mode & 0o077 == 0 else {
            throw ServerError(.configuration, "other users can access \(path)", hint: "Run: chmod go= \(path)")
        }
    }
}
