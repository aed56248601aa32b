// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// The result of replacing a server's database with a backup.
package struct Restoration: Sendable {
    /// When the backup was made. Everything since then is undone.
    package let taken: String
    package let keyFile: String
    package let role: ServerRole
    /// Whether the replaced database could not tell which direct logins it had accepted.
    package let usedLoginsAreUnknown: Bool
    /// The fingerprint of the key with which the restored server proves itself; nil for an authority, which has none.
    package let fingerprint: String?
    /// Whether devices may know another key: that of the database that was replaced.
    package let isServerKeyChanged: Bool

    /// Replaces the database and the key, completely or not at all.
    ///
    /// - Parameters:
    ///   - directory: the server's directory, which may be missing.
    ///   - place: where to store the key from now on; nil for the place that belongs to it.
    /// - Returns: the result, and the new name of the replaced state; nil if there was none.
    package static func run(
        _ directory: ServerDirectory, from input: BackupInput, to place: KeyPlace? = nil,
        takesUnauthenticated: Bool, actor: String
    ) throws(ServerError) -> (made: Restoration, before: String?) {
        try directory.make().demandPrivate(directory.path)
        try directory.demandOwner()
        try directory.demandSQLite("Use PostgreSQL's tools to restore it.")
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let restored = try directory.replaceState { state throws(ServerError) in
            try fill(state, directory, input, place, takesUnauthenticated, actor)
        }
        if input.hasRecoveryKey { directory.recoveryKeyWasShown() }
        return restored
    }

    private static func fill(
        _ state: String, _ directory: ServerDirectory, _ input: BackupInput, _ place: KeyPlace?,
        _ takesUnauthenticated: Bool, _ actor: String
    ) throws(ServerError) -> Restoration {
        let fresh = ServerDirectory.database(in: state)
        try input.backup.copy(to: fresh)
        let backup = BackupFile(name: input.backup.path, path: fresh)
        let mac = try BackupMAC(detachedFrom: fresh)
        if mac == nil {
            try backup.checkHeader()
            guard takesUnauthenticated else { throw BackupMAC.missing(input.backup.path) }
        }
        // Before SQLite opens the copy.
        let (root, placeOfKey) = try input.open(directory, for: mac)
        let taken = try backup.check()
        let store = try ServerStorage(path: fresh)
        let vault = Vault(store, root)
        let role = try store.role()
        for number in role.shares { _ = try vault.masterShare(number) }
        let serverKey = role == .authority ? nil : try vault.serverKey()
        // It is only read, so a restore that fails leaves it as it was.
        let replaced = try? ServerStorage(reading: directory.database)
        let latest = try? replaced?.latestTimes()
        let formerKey = try? replaced?.serverPublicKey()
        try? replaced?.close()
        let event = AuditAction.rolledBack(taken: taken, isAuthenticated: mac != nil)
        try store.unmark(AuditEvent(event, at: ServerClock.system.now, actor: actor), replaced: latest)
        try store.close()
        // Closing has moved the write-ahead log into the database file.
        for suffix in ["-wal", "-shm"] { unsafe unlink(fresh + suffix) }
        let newPlace = place ?? placeOfKey
        try directory.write(root, of: newPlace, to: ServerDirectory.file(of: newPlace, in: state))
        return Restoration(
            taken: taken, keyFile: directory.file(of: newPlace), role: role,
            usedLoginsAreUnknown: latest == nil && role != .authority && FileFacts.isThere(directory.database),
            fingerprint: serverKey?.fingerprint,
            isServerKeyChanged: formerKey.map { $0 != serverKey?.publicKey } ?? false)
    }
}
