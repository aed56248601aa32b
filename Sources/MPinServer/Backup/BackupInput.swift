// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// The files that a restore reads. Root opens them before it becomes the owner of the server's directory, because that
/// account often cannot read them.
package struct BackupInput: Sendable {
    let backup: GivenFile
    /// The key file of the command line; nil for none.
    let key: GivenFile?
    /// The key file next to the backup, which may be missing.
    let beside: GivenFile

    package init(_ backup: GivenFile, key: GivenFile?, beside: GivenFile) {
        (self.backup, self.key, self.beside) = (backup, key, beside)
    }
}

/// A file of the command line, which is read after the process has changed its account.
package final class GivenFile: Sendable {
    private final class Open: Sendable {
        let file: SystemFile
        init(_ path: String) throws(FileError) { file = try SystemFile.regular(path) }
    }

    let path: String
    private let isOwners: Bool
    private let reader = geteuid()
    private let content: Result<Open, FileError>

    /// Opens the file. An error is reported when it is read.
    ///
    /// - Parameter isOwners: whether the owner of the server's directory decides which file it is.
    package init(_ path: String, isOwners: Bool = false) {
        (self.path, self.isOwners) = (path, isOwners)
        do throws(FileError) { content = .success(try Open(path)) } catch { content = .failure(error) }
    }

    /// Whether there is no such file.
    var isMissing: Bool {
        guard case .failure(let error) = content else { return false }
        return [ENOENT, ENOTDIR].contains(error.cause.number)
    }

    /// Whether it contains a key that a TPM has sealed.
    var isSealedKey: Bool { (try? content.get()).map { TPMKeyFile.isOne($0.file) } ?? false }

    /// Copies it to a new file of the directory's owner.
    func copy(to target: String) throws(ServerError) { try PrivateFile.copy(open().file, to: target) }

    /// Reads it as the key of a backup. Only the caller or the owner of the directory can access such a file.
    func readKey(for directory: ServerDirectory) throws(ServerError) -> SealKey {
        let open = try open()
        try open.file.facts?.demandPrivate(path, to: reader)
        return try directory.readKey(in: open.file)
    }

    /// A descriptor of the file, which the caller closes. Only the caller or the owner of the directory can access it.
    package func descriptor() throws(ServerError) -> Int32 {
        let file = try open()
        try file.file.facts?.demandPrivate(path, to: reader)
        return dup(file.file.descriptor)
    }

    private func open() throws(ServerError) -> Open {
        do throws(FileError) { return try content.get() } catch {
            if error.step == .kind { throw ServerError(.badInput, "\(path) is not a regular file") }
            guard [EACCES, EPERM].contains(error.cause.number) else { throw ServerError(error) }
            let name = FileFacts.account(reader) ?? String(reader)
            throw ServerError(
                .notPermitted, "the account '\(name)' cannot read \(path)",
                hint: "Nothing was changed. Move the file to a directory that only root can change, or run: "
                    + "sudo chown \(ShellWord.quoted(name)) \(ShellWord.operand(path))",
                account: isOwners ? nil : "root")
        }
    }
}
