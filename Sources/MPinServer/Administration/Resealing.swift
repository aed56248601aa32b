internal import CommandSyntax
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage

/// The sealing key, put into another place: the same key, which opens the same database and the same backups.
package struct Resealing: Sendable {
    /// What it is called.
    package let identifier: String
    /// Where it lies now.
    package let file: String
    /// What opens the server where the place does not; nil where the caller has it already, or has no need of it.
    package let recovery: RecoveryKey?
    /// Files in the directory with a key in the clear, of this server or of one that was restored from.
    package let otherKeys: [String]

    /// - Parameters:
    ///   - recoveryFile: where the recovery key stands, `-` for standard input; nil: the key is there and can be opened.
    ///   - display: when the recovery key is shown, where the caller does not have it.
    ///   - actor: who does it, for the audit log.
    /// - Throws: ``ServerError``; then the server opens as before.
    package static func run(
        _ directory: ServerDirectory, to place: KeyPlace, recoveryFile: String?,
        showing display: RecoveryKeyDisplay = .withAnswer, actor: String
    ) throws(ServerError) -> Resealing {
        try directory.demandOwner()
        try directory.settleRestoration()
        guard FileFacts.isThere(directory.database) else {
            throw ServerError(
                .configuration, "\(directory.path) has no database",
                hint: "Restore a backup: mpin-server restore --recovery-key-file - --dir "
                    + "\(ShellWord.quoted(directory.path)) FILE")
        }
        if recoveryFile == nil { try directory.check() }
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try SQLiteStorage(path: directory.database)
        let key: SealKey
        if let recoveryFile {
            key = try RecoveryKey.read(recoveryFile)
            guard ServerDirectory.opens(key, store) else {
                throw ServerError(
                    .badInput, "the recovery key \(try key.shownIdentifier) does not open \(directory.database)",
                    hint: "Nothing was changed. Each 'rotate' makes a new recovery key.")
            }
        } else {
            key = try directory.readKey(for: store)
        }
        let recovery = recoveryFile == nil && place == .tpm ? try RecoveryKey(key) : nil
        if let recovery {
            // No recovery key is shown that does not count because the TPM seals nothing.
            _ = try directory.tpm.seal(key)
            try display.begin(recovery, directory)
        }
        try directory.put(key, in: place, for: store)
        try store.record([
            AuditEvent(.resealed(place), at: ServerClock.system.now, actor: actor)
        ])
        try store.close()
        if recovery == nil { directory.recoveryKeyWasShown() }
        return Resealing(
            identifier: try key.shownIdentifier, file: directory.file(of: place),
            recovery: recovery, otherKeys: directory.otherKeys)
    }
}
