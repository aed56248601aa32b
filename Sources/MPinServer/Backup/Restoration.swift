// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// The result of replacing a server's database with a backup.
package struct Restoration: Sendable {
    /// When the backup was made. Everything since then is undone.
    package let taken: String
    /// The new name of the replaced database; nil if there was none.
    package let before: String?
    /// The role of the restored server.
    package let role: ServerRole
    /// Whether the replaced database could not tell which direct logins it had accepted.
    package let usedLoginsAreUnknown: Bool
    /// The key with which the restored server proves itself; nil for an authority, which has none.
    package let serverKey: RestoredServerKey?

    /// Replaces the database with a backup, completely or not at all.
    ///
    /// - Parameters:
    ///   - directory: the server's directory, which may be missing.
    ///   - input: the backup. Without a key, the key in the directory opens it or, if there is none, the key next to
    ///     the backup. A given key replaces another one in the same kind of place, which is kept.
    ///   - recovery: the recovery key that opens the backup, and where to store the key from now on.
    ///   - takesUnauthenticated: whether to restore a backup without a MAC.
    ///   - actor: who runs the command, for the audit log.
    package static func run(
        _ directory: ServerDirectory, from input: BackupInput, recovery: RecoveryKeySource? = nil,
        takesUnauthenticated: Bool, actor: String
    ) throws(ServerError) -> Restoration {
        try directory.settleRestoration()
        let plan = KeyPlan(directory, from: input, recovery: recovery)
        try directory.make().demandPrivate(directory.path)
        try directory.demandOwner()
        try plan.demandUsed(in: directory)
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let fresh = directory.unrestoredDatabase
        DatabaseFiles.remove(fresh)
        defer { DatabaseFiles.remove(fresh) }
        try input.backup.copy(to: fresh)
        let backup = BackupFile(name: input.backup.path, path: fresh)
        let mac = try BackupMAC(detachedFrom: fresh)
        if mac == nil {
            try backup.checkHeader()
            guard takesUnauthenticated else { throw BackupMAC.missing(input.backup.path) }
        }
        let root = try plan.open(directory)
        // Before SQLite opens it.
        if let mac, try !mac.isMade(by: root) { throw try plan.mismatch(mac, root, of: input, directory) }
        let taken = try backup.check()
        let now = ServerClock.system.now
        let replaced = ReplacedDatabase(of: directory)
        let before: String? = if case .none = replaced { nil } else { FileName.unused(directory.database, before: now) }
        let store = try SQLiteStorage(path: fresh)
        let role = try demandShares(of: store, root) { fault throws(ServerError) in
            try plan.foreign(root, fault, of: input, directory) { ServerDirectory.opens($0, store) }
        }
        let serverKey = role == .authority ? nil : try RestoredServerKey(Vault(store, root), replacing: replaced)
        let event = AuditAction.rolledBack(taken: taken, isAuthenticated: mac != nil, before: before)
        try store.unmark(AuditEvent(event, at: now, actor: actor), replaced: replaced.latest)
        try replaced.store?.close()
        try store.close()
        // Closing has moved the write-ahead log into the database file.
        for suffix in ["-wal", "-shm"] { unsafe unlink(fresh + suffix) }
        try PrivateFile.sync(fresh)
        let newPlace = try plan.newPlace(of: root, in: directory)
        let change = KeyChange(of: directory, to: newPlace, now)
        let journal = RestorationJournal(directory, change, before: before)
        try journal.begin()
        do throws(ServerError) {
            if let newPlace { try change.make(directory, newPlace, root) }
            if let before { try keep(directory.database, as: before) }
            try PrivateFile.rename(fresh, to: directory.database)
        } catch {
            // The key of the backup does not open the old database, which is still there.
            try? journal.settle()
            throw error
        }
        try PrivateFile.sync(directory.path)
        try journal.end()
        if recovery != nil { directory.recoveryKeyWasShown() }
        return Restoration(
            taken: taken, before: before, role: role, usedLoginsAreUnknown: replaced.isUnreadable && role != .authority,
            serverKey: serverKey)
    }

    /// Checks that the key opens the master shares of the backup.
    ///
    /// - Parameter foreign: makes the error if it does not.
    /// - Returns: the role of the server.
    private static func demandShares(
        of store: SQLiteStorage, _ root: SealKey, orElse foreign: (ServerError) throws(ServerError) -> ServerError
    ) throws(ServerError) -> ServerRole {
        let role = try store.role()
        do throws(ServerError) { for number in role.shares { _ = try Vault(store, root).masterShare(number) } } catch {
            throw error.kind == .configuration ? try foreign(error) : error
        }
        return role
    }

    /// Keeps a database and its write-ahead log under another name, and removes the log under the old one, because
    /// SQLite would replay it into the restored database.
    private static func keep(_ database: String, as name: String) throws(ServerError) {
        // A damaged database is kept with its log.
        try? SQLiteStorage.emptyLog(of: database)
        for suffix in ["", "-wal"] where suffix.isEmpty || (FileFacts(of: database + suffix)?.size ?? 0) > 0 {
            guard unsafe link(database + suffix, name + suffix) == 0 else {
                throw ServerError(.storage, "cannot rename \(database + suffix): \(SystemError().text)")
            }
        }
        try PrivateFile.sync(FileName.parent(of: database))
        for suffix in ["-wal", "-shm"] { unsafe unlink(database + suffix) }
    }
}
