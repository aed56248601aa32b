// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
package import MPinServerStorage

/// Moves the sealing key to another place. The key stays the same and opens the same database and the same backups.
package struct Resealing: Sendable {
    package let identifier: String
    package let file: String
    /// The recovery key, for use without the new place; nil if the caller already has it or does not need it.
    package let recovery: RecoveryKey?
    /// Files in the directory with an unsealed key, of this server or of one that was restored from.
    package let otherKeys: [String]

    /// - Parameters:
    ///   - recoveryInput: reads the recovery key; nil if the key can be opened in its place.
    ///   - display: shows the recovery key before it is used, if the caller does not have it; nil if the caller shows
    ///     it afterwards.
    /// - Throws: ``ServerError``. Then the server opens as before.
    package static func run(
        _ directory: ServerDirectory, to place: KeyPlace, recoveryInput: RecoveryKeyInput?,
        showing display: RecoveryKeyDisplay? = nil, actor: String
    ) throws(ServerError) -> Resealing {
        try directory.check(demandsKey: recoveryInput == nil)
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try directory.storage(.writing)
        let key: SealKey
        if let recoveryInput {
            key = try RecoveryKey.read(recoveryInput)
            guard ServerDirectory.opens(key, store) else {
                throw ServerError(
                    .badInput, "the recovery key \(try key.identifier) does not open \(directory.database)",
                    hint: "Nothing was changed. Each 'rotate' makes a new recovery key.")
            }
        } else {
            key = try directory.readKey(for: store)
        }
        let recovery = recoveryInput == nil && place == .tpm ? try RecoveryKey(key) : nil
        if let recovery {
            // Checks that the TPM can seal, before a recovery key is shown.
            _ = try directory.tpm.seal(key)
            try display?(recovery)
        }
        try directory.move(key, to: place)
        try store.record([AuditEvent(.resealed(place), at: ServerClock.system.now, actor: actor)])
        try store.close()
        if recovery == nil { directory.recoveryKeyWasShown() }
        return Resealing(
            identifier: try key.identifier, file: directory.file(of: place),
            recovery: recovery, otherKeys: directory.otherKeys)
    }
}
