// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import ShellSyntax
package import SystemFiles

/// Files that must be regular ones: opening or reading a named pipe or a device could block indefinitely.
package enum RegularFile {
    /// Reads a whole file.
    ///
    /// - Parameter hint: the hint if the file does not exist.
    package static func read(_ path: String, hint: String = "") throws(ServerError) -> [UInt8] {
        try ServerError.ofFiles(hint: hint) { () throws(FileError) in try SystemFile.regular(path).read(upTo: .max) }
    }

    /// Refuses anything but a regular file, for a library that opens the file itself. The library reports a missing
    /// file.
    package static func check(_ path: String) throws(ServerError) { if let fault = fault(of: path) { throw fault } }

    /// Why a library must not open a file; nil if it may, or if no file is named.
    package static func fault(of path: String?) -> ServerError? {
        guard let path, let facts = FileFacts(target: path), !facts.isFile else { return nil }
        return ServerError(.configuration, "\(path) is not a regular file")
    }
}

extension FileFacts {
    /// Refuses a file that users other than its owner can write: a user who can change the configuration can log in as
    /// any user.
    ///
    /// For a link, its target counts. The code that reads the file handles a missing file and other kinds of files.
    package static func demandUnalterable(_ path: String) throws(ServerError) {
        guard let facts = FileFacts(target: path), facts.isFile, facts.isWritableByOthers else { return }
        throw ServerError(
            .configuration, "\(path) is writable by users other than its owner",
            hint: "Check its content.\nThen run: chmod go-w \(ShellWord.operand(path))")
    }

    /// Refuses a file that others may read or write, or that another user owns.
    ///
    /// Root may use another account's files: administrators run the commands as root.
    package func demandPrivate(_ path: String, to caller: UInt32 = geteuid()) throws(ServerError) {
        guard owner == caller || caller == 0 else {
            let account = Self.account(owner)
            throw ServerError(
                .notPermitted, "\(path) belongs to \(account.map { "the account '\($0)'" } ?? "another user")",
                hint: "Run the command as the owner of \(path), user ID \(owner).", account: account)
        }
        guard !isAccessibleToOthers else {
            throw ServerError(.configuration, "other users can access \(path)", hint: "Run: chmod go= \(path)")
        }
    }
}
