// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// A copy of a server's database in one file, made whether the server runs or not.
///
/// It contains the sealed master shares of the database. The key that opens them is stored separately and changes only
/// with a rotation, so it needs to be copied only once, and the file alone cannot make tokens.
package struct Backup: Sendable {
    /// Whether `restore` can detect changes of the backup.
    package enum Authentication: Sendable {
        /// It has the MAC of the key of this name.
        case key(String)
        /// It has none, because the key of the database could not be opened.
        case none(reason: String)
    }

    /// When it was made, UTC.
    package let taken: String
    /// The file with the key; nil if none was requested.
    package let key: String?
    /// The place of the key that opens it.
    package let place: KeyPlace
    package let keyFile: String
    /// The name of the recovery key, from the file of a key in a TPM.
    package let recoveryKeyName: String?
    package let authentication: Authentication

    /// Makes a backup.
    package static func take(
        of directory: ServerDirectory, to target: BackupTarget, key keyTarget: BackupTarget?, actor: String
    ) throws(ServerError) -> Backup {
        let withKey = keyTarget != nil
        // A server whose key is lost can still be backed up.
        try directory.check(demandsKey: withKey)
        try directory.demandSQLite("Use PostgreSQL's tools for backups, such as pg_basebackup, and copy the key.")
        let place = directory.keyPlace ?? .file
        let now = ServerClock.system.now
        let store = try directory.storage(.writing)
        if withKey {
            try demandFile(directory, place)
            // After an interrupted rotation the valid key is the next one, which replaces the key now.
            _ = try directory.readKey(for: store)
        }
        // A backup is made here, where the directory's owner can write, and then copied. An existing file is from a
        // killed command with the same process number.
        let draft = "\(directory.database).backup-\(getpid())"
        DatabaseFiles.remove(draft)
        try PrivateFile.make(draft)
        defer { DatabaseFiles.remove(draft) }
        try store.record([AuditEvent(.backedUp(withKey: withKey), at: now, actor: actor)])
        let copy = try copy(directory, store, to: draft, now)
        try target.fill(from: draft)
        do throws(ServerError) { try keyTarget?.fill(from: directory.file(of: .file)) } catch {
            target.discard()
            throw error
        }
        return Backup(
            taken: copy.taken, key: keyTarget?.path, place: place, keyFile: directory.file(of: place),
            recoveryKeyName: place == .tpm ? try? TPMKeyFile(path: directory.file(of: .tpm)).identifier : nil,
            authentication: copy.authentication)
    }

    /// Copies the database into an empty file, with a MAC if a key for it can be opened.
    private static func copy(
        _ directory: ServerDirectory, _ store: ServerStorage, to file: String, _ now: Timestamp
    ) throws(ServerError) -> (taken: String, authentication: Authentication) {
        if let served = ServedBackup(of: directory, to: file) { return (served.taken, .key(served.keyName)) }
        guard unsafe truncate(file, 0) == 0 else {
            throw ServerError(.storage, "cannot write \(file): \(SystemError().text)", hint: "Nothing was changed.")
        }
        try store.copy(to: file, mark: now)
        let key: SealKey
        do throws(ServerError) { key = try directory.readKey(for: store) } catch {
            return (now.zulu, .none(reason: error.message))
        }
        return (now.zulu, .key(try BackupMAC.append(to: file, key)))
    }

    /// Refuses to copy a key if the copy would open nothing.
    private static func demandFile(_ directory: ServerDirectory, _ place: KeyPlace) throws(ServerError) {
        guard place == .tpm else { return }
        let file = directory.file(of: .tpm)
        throw ServerError(
            .notPermitted, "the key is sealed to this machine's TPM, so a copy of \(file) is useless elsewhere",
            hint: "Omit --with-key. On another machine, open the backup with the recovery key "
                + "\(try TPMKeyFile(path: file).identifier).")
    }
}
