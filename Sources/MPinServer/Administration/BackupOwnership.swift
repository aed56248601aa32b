internal import CommandSyntax
internal import Glibc

/// A backup and its key that belong to another account than the server that they are to be restored for, as when root
/// took them.
///
/// Root cannot restore for that account, and the account cannot read root's files: so `chown` comes first.
struct BackupOwnership {
    private let owner: UInt32
    private let files: [String]

    /// - Parameters:
    ///   - files: what is restored from; need not be there.
    ///   - directory: the server's; need not be there.
    init(of files: [String], to directory: ServerDirectory) {
        var owner = geteuid()
        if case .success(let facts) = FileFacts.of(directory.path) { owner = facts.owner }
        self.owner = owner
        self.files = files.filter { file in
            guard case .success(let facts) = FileFacts.of(file), facts.isFile else { return false }
            return facts.owner != owner
        }
    }

    /// The command that gives the account the files of others; nil where there are none.
    var command: String? {
        if files.isEmpty { return nil }
        let account = FileFacts.account(owner) ?? String(owner)
        return (["sudo chown", ShellWord.quoted(account)] + files.map(ShellWord.operand)).joined(separator: " ")
    }

    /// Makes sure that a file can be opened.
    func demandReadable(_ file: String) throws(ServerFault) {
        guard unsafe access(file, R_OK) != 0, [EACCES, EPERM].contains(errno) else { return }
        let account = FileFacts.account(owner)
        guard files.contains(file) else {
            throw ServerFault(
                .notPermitted, "\(file) cannot be read by \(account.map { "the account '\($0)'" } ?? "this user")",
                hint: "Nothing was changed. Move it, with its key, to a directory that this account can enter.")
        }
        throw ServerFault(
            .notPermitted, "\(file) belongs to another user, and this one cannot read it",
            hint: "Give it to the owner of the server's directory.", account: account, preparation: command)
    }
}
