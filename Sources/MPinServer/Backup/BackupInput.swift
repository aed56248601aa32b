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
    private let key: GivenFile?
    /// The key file next to the backup, which may be missing.
    private let beside: GivenFile
    private let recovery: RecoveryKeyInput?

    package init(_ backup: GivenFile, key: GivenFile?, beside: GivenFile, recovery: RecoveryKeyInput?) {
        (self.backup, self.key, self.beside, self.recovery) = (backup, key, beside, recovery)
    }

    /// Whether the caller types the recovery key, so that it need not be shown.
    var hasRecoveryKey: Bool { recovery != nil }

    /// Finds the key of the backup: the one of the command line, that of the directory or, without one, the one next to
    /// the backup.
    ///
    /// - Parameter mac: the MAC of the backup, which names its key.
    /// - Returns: the key, and its place unless the command line names one. A key never leaves the TPM.
    func open(
        _ directory: ServerDirectory, for mac: BackupMAC?
    ) throws(ServerError) -> (key: SealKey, place: KeyPlace) {
        let present = directory.keyPlace
        let opened: (key: SealKey, place: KeyPlace, name: String)
        if let recovery {
            let key = try RecoveryKey.read(recovery)
            opened = (key, .tpm, "the recovery key \(try key.identifier)")
        } else if key == nil, let present {
            opened = (try directory.openKey(present), present, directory.file(of: present))
        } else {
            let file = key ?? beside
            if file.isMissing { throw missing(file.path, directory) }
            let place: KeyPlace = file.isSealedKey || present == .tpm ? .tpm : .file
            opened = (try file.readKey(for: directory), place, file.path)
        }
        if let mac, try !mac.isMade(by: opened.key) {
            let name = try opened.key.identifier
            if mac.keyName == name { throw BackupMAC.altered(backup.path) }
            let message = "\(opened.name) is not the key of this backup"
            if key == nil, recovery == nil, let right = otherKey(directory, for: mac) {
                throw ServerError(
                    .configuration, "\(message), but \(right.path) is",
                    next: "restore --key \(ShellWord.operand(right.path)) \(ShellWord.operand(backup.path))")
            }
            throw ServerError(
                .configuration, message,
                hint: "Nothing was changed. The backup needs the key \(mac.keyName), but this is \(name). Restore it "
                    + "with its own key: --key FILE, or --recovery-key-file -")
        }
        return (opened.key, opened.place)
    }

    /// The key next to the backup, or a former one of the directory, if it is that of the backup. Only the caller can
    /// decide whether to trust it.
    private func otherKey(_ directory: ServerDirectory, for mac: BackupMAC) -> GivenFile? {
        ([beside] + directory.formerKeys.map { GivenFile($0) }).first { file in
            guard let name = try? file.readKey(for: directory).identifier else { return false }
            return name == mac.keyName
        }
    }

    private func missing(_ path: String, _ directory: ServerDirectory) -> ServerError {
        let former = directory.formerKeys.map { "\nA former key: --key " + ShellWord.operand($0) }.joined()
        return ServerError(
            .configuration, "\(directory.path) has no key, and \(path) does not exist",
            hint: """
                Give a copy of the old server's seal.key: --key FILE
                If the key was sealed to a TPM, give the recovery key: --recovery-key-file -
                or, on the machine with that TPM, a copy of seal.tpm: --key FILE
                Without one of these, no backup can be restored.\(former)
                """)
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

    var isMissing: Bool {
        guard case .failure(let error) = content else { return false }
        return [ENOENT, ENOTDIR].contains(error.cause.number)
    }

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
