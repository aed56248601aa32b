// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// Moves the sealing key to another place. The key stays the same and opens the same database and the same backups.
package struct Resealing: Sendable {
    /// The name of the key.
    package let identifier: String
    /// The file that contains it now.
    package let file: String
    /// The recovery key, for use without the new place; nil if the caller already has it or does not need it.
    package let recovery: RecoveryKey?
    /// Files in the directory with an unsealed key, of this server or of one that was restored from.
    package let otherKeys: [String]

    /// - Parameters:
    ///   - recoveryInput: reads the recovery key; nil if the key can be opened in its place.
    ///   - display: when to show the recovery key, if the caller does not have it.
    ///   - actor: who runs the command, for the audit log.
    /// - Throws: ``ServerError``. Then the server opens as before.
    package static func run(
        _ directory: ServerDirectory, to place: KeyPlace, recoveryInput: RecoveryKeyInput?,
        showing display: RecoveryKeyDisplay = .withAnswer, actor: String
    ) throws(ServerError) -> Resealing {
        try directory.demandOwner()
        try directory.settleRestoration()
        guard FileFacts.isThere(directory.database) else {
            if directory.keyPlace == .file { throw directory.keyAlone }
            throw ServerError(
                .configuration, "\(directory.path) has no database",
                hint: "Restore a backup: mpin-server restore --recovery-key-file - --dir "
                    + "\(ShellWord.quoted(directory.path)) FILE")
        }
        if recoveryInput == nil { try directory.check() }
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try SQLiteStorage(path: directory.database)
        let key: SealKey
        if let recoveryInput {
            key = try RecoveryKey.read(recoveryInput)
            guard ServerDirectory.opens(key, store) else {
                throw ServerError(
                    .badInput, "the recovery key \(try key.shownIdentifier) does not open \(directory.database)",
                    hint: "Nothing was changed. Each 'rotate' makes a new recovery key.")
            }
        } else {
            key = try directory.readKey(for: store)
        }
        let recovery = recoveryInput == nil && place == .tpm ? try RecoveryKey(key) : nil
        if let recovery {
            // Checks that the TPM can seal, before a recovery key is shown.
            _ = try directory.tpm.seal(key)
            try display.begin(recovery, directory)
        }
        try directory.put(key, in: place, for: store)
        try store.record([AuditEvent(.resealed(place), at: ServerClock.system.now, actor: actor)])
        try store.close()
        if recovery == nil { directory.recoveryKeyWasShown() }
        return Resealing(
            identifier: try key.shownIdentifier, file: directory.file(of: place),
            recovery: recovery, otherKeys: directory.otherKeys)
    }
}
