// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// A backup and its key that belong to another account than the server, for example because root made them.
///
/// Root cannot restore for the server's account, and that account cannot read root's files. So the files must be given
/// to it with `chown` or, if it cannot enter their directory, be copied.
struct BackupOwnership {
    private let directory: String
    private let owner: UInt32
    private let files: [String]

    /// - Parameters:
    ///   - files: the files to restore from, which may be missing.
    ///   - directory: the server's directory, which may be missing.
    init(of files: [String], to directory: ServerDirectory) {
        var owner = geteuid()
        if let facts = FileFacts(of: directory.path) { owner = facts.owner }
        (self.directory, self.owner) = (directory.path, owner)
        self.files = files.filter { file in
            guard let facts = FileFacts(of: file), facts.isFile else { return false }
            return facts.owner != owner
        }
    }

    /// The error of a command that was run by another account than the owner of the server's directory.
    func fault(_ message: String) -> ServerError {
        let account = FileFacts.account(owner)
        guard files.allSatisfy(isReachable) else { return copyFirst(message, files) }
        return ServerError(
            .notPermitted, message, hint: "Only the owner of \(directory), user ID \(owner), can restore there.",
            account: account, preparation: handOver(to: account))
    }

    /// Checks that a file can be opened.
    func demandReadable(_ file: String) throws(ServerError) {
        guard unsafe access(file, R_OK) != 0, [EACCES, EPERM].contains(errno) else { return }
        let account = FileFacts.account(owner)
        guard files.contains(file), isReachable(file) else {
            let reader = account.map { "the account '\($0)'" } ?? "this user"
            throw copyFirst("\(reader) cannot read \(file)", [file])
        }
        throw ServerError(
            .notPermitted, "\(file) belongs to another user and cannot be read",
            hint: "Change its owner to the owner of the server's directory.", account: account,
            preparation: handOver(to: account))
    }

    /// The command that gives other users' files to the account; nil if there are none.
    private func handOver(to account: String?) -> String? {
        if files.isEmpty { return nil }
        return (["sudo chown", ShellWord.quoted(account ?? String(owner))] + files.map(ShellWord.operand))
            .joined(separator: " ")
    }

    private func copyFirst(_ message: String, _ files: [String]) -> ServerError {
        let account = FileFacts.account(owner) ?? String(owner)
        // In a directory of their own, where they replace no file of the server.
        let copies = directory + "/to-restore"
        let words =
            ["sudo install -D -m 0600 -o", ShellWord.quoted(account), "-t", ShellWord.operand(copies)]
            + files.map(ShellWord.operand)
        return ServerError(
            .notPermitted, message,
            hint: """
                Nothing was changed. Make copies that the account \(account) can read, with the key if there is one:
                \(words.joined(separator: " "))
                As that account, restore the copies in \(copies).
                Then delete them: sudo rm -r \(ShellWord.operand(copies))
                """)
    }

    /// Whether the account can enter the directories above a file, according to their modes.
    private func isReachable(_ file: String) -> Bool {
        var parent = FileName.parent(of: file)
        while true {
            guard let facts = FileFacts(target: parent), facts.mode & (facts.owner == owner ? 0o100 : 0o001) != 0
            else { return false }
            if parent == "/" || parent == "." { return true }
            parent = FileName.parent(of: parent)
        }
    }
}
