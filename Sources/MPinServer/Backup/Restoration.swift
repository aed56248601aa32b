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
    /// Devices whose registrations have lost their keys; nil if the replaced database could not be read.
    package let lostDeviceKeys: LostDeviceKeys?
    /// Whether the replaced database could not tell which direct logins it had accepted.
    package let usedLoginsAreUnknown: Bool

    /// Replaces the database with a backup, completely or not at all.
    ///
    /// - Parameters:
    ///   - directory: the server's directory, which may be missing.
    ///   - file: the backup.
    ///   - key: the key of the backup. Nil for the key in the directory or, if it has none, `FILE.key`. It replaces
    ///     another key in the same kind of place, which is kept.
    ///   - recovery: the recovery key that opens the backup, and where to store the key from now on.
    ///   - takesUnauthenticated: whether to restore a backup without a MAC.
    ///   - actor: who runs the command, for the audit log.
    package static func run(
        _ directory: ServerDirectory, from file: String, key: String?, recovery: RecoveryKeySource? = nil,
        takesUnauthenticated: Bool, actor: String
    ) throws(ServerError) -> Restoration {
        try directory.settleRestoration()
        let plan = KeyPlan(directory, from: file, key: key, recovery: recovery)
        let ownership = BackupOwnership(of: [file] + plan.files, to: directory)
        try prepare(directory, ownership)
        if case .unused(let place) = plan { throw keyIsThere(directory.file(of: place), key) }
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let fresh = directory.unrestoredDatabase
        DatabaseFiles.remove(fresh)
        defer { DatabaseFiles.remove(fresh) }
        try ownership.demandReadable(file)
        try PrivateFile.copy(file, to: fresh)
        let backup = BackupFile(name: file, path: fresh)
        let mac = try BackupMAC(detachedFrom: fresh)
        if mac == nil {
            try backup.checkHeader()
            guard takesUnauthenticated else { throw BackupMAC.missing(file) }
        }
        let root: SealKey
        switch plan {
        case .recovery(let recovery): root = try RecoveryKey.read(recovery.file)
        case .present(let place), .unused(let place): root = try directory.openKey(place)
        case .imported(let path, _): root = try directory.readKey(keptAs: self.key(path, directory, ownership))
        }
        // Before SQLite opens it.
        if let mac, try !mac.isMade(by: root) {
            throw try mismatch(mac, root, of: file, isRecovery: recovery != nil, key: key, directory)
        }
        let taken = try backup.check()
        let now = ServerClock.system.now
        let before = FileFacts.isThere(directory.database) ? FileName.unused(directory.database, before: now) : nil
        let replaced = before.map { _ in latestTime(of: directory) }
        let role = try open(
            fresh, with: root, isRecovery: recovery != nil,
            orElse: { store, fault in
                key == nil ? directory.otherKey(of: file, fault) { ServerDirectory.opens($0, store) } : fault
            },
            then: AuditEvent(
                .rolledBack(taken: taken, isAuthenticated: mac != nil, before: before), at: now, actor: actor),
            replaced: replaced ?? nil)
        let lost =
            role == .authority ? nil : before.flatMap { _ in LostDeviceKeys(from: directory.database, to: fresh) }
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
            taken: taken, before: before, role: role, lostDeviceKeys: lost,
            usedLoginsAreUnknown: replaced == .some(nil) && role != .authority)
    }

    /// The latest time of a direct login that the database may have accepted; nil if it cannot be read.
    private static func latestTime(of directory: ServerDirectory) -> Int64? {
        do throws(ServerError) { return try SQLiteStorage.latestTime(in: directory.database) } catch { return nil }
    }

    /// The error for a backup whose MAC another key has made.
    private static func mismatch(
        _ mac: BackupMAC, _ root: SealKey, of file: String, isRecovery: Bool, key: String?, _ directory: ServerDirectory
    ) throws(ServerError) -> ServerError {
        let name = try root.shownIdentifier
        if mac.keyName == name { return BackupMAC.altered(file) }
        if isRecovery {
            return ServerError(
                .badInput, "the recovery key \(name) does not open this backup",
                hint: "Nothing was changed. The backup needs the key \(mac.keyName). Each 'rotate' makes a new one.")
        }
        let used = key ?? directory.keyPlace.map { directory.file(of: $0) } ?? file + ".key"
        let fault = ServerError(
            .configuration, "\(used) is not the key of this backup",
            hint:
                "Nothing was changed. The backup needs the key \(mac.keyName), but this is \(name). Restore it with "
                + "its own key: --key FILE, or --recovery-key-file -")
        guard key == nil else { return fault }
        return directory.otherKey(of: file, fault) { (try? mac.isMade(by: $0)) == true }
    }

    private static func prepare(_ directory: ServerDirectory, _ ownership: BackupOwnership) throws(ServerError) {
        let facts = try directory.make()
        try facts.demandPrivate(directory.path)
        // The owner of the directory could not use files that root creates.
        guard facts.owner == geteuid() else { throw ownership.fault("\(directory.path) belongs to another user") }
    }

    /// The error if the key in the directory makes the one on the command line useless.
    private static func keyIsThere(_ file: String, _ key: String?) -> ServerError {
        let option = key == nil ? "--recovery-key-file" : "--key"
        return ServerError(
            .cannotCreate, "\(file) exists, so \(key.map { "--key \($0)" } ?? option) would not be used",
            hint: """
                Nothing was changed. Omit \(option) to restore with the present key.
                If that is the wrong key, run: mv \(ShellWord.operand(file)) \(ShellWord.operand(file + ".before"))
                """)
    }

    private static func key(_ path: String, _ directory: ServerDirectory, _ ownership: BackupOwnership)
        throws(ServerError)
        -> String
    {
        guard let facts = FileFacts(of: path) else {
            throw ServerError(
                .configuration, "\(directory.path) has no key, and \(path) does not exist",
                hint: """
                    Give a copy of the old server's seal.key: --key FILE
                    If the key was sealed to a TPM, give the recovery key: --recovery-key-file -
                    or, on the machine with that TPM, a copy of seal.tpm: --key FILE
                    Without one of these, no backup can be restored.\(directory.keptKeys)
                    """)
        }
        guard facts.isFile else { throw ServerError(.configuration, "\(path) is not a regular file") }
        try ownership.demandReadable(path)
        try facts.demandPrivate(path)
        return path
    }

    /// Migrates the copy, checks that the key opens its master shares, and records the restore in it.
    ///
    /// - Parameters:
    ///   - fault: makes the error if the key does not open them.
    ///   - replaced: the latest time of the replaced database.
    /// - Returns: the role of the server.
    private static func open(
        _ path: String, with root: SealKey, isRecovery: Bool,
        orElse fault: (any ServerStorage, ServerError) -> ServerError,
        then event: AuditEvent, replaced: Int64?
    ) throws(ServerError) -> ServerRole {
        let store = try SQLiteStorage(path: path)
        guard !isRecovery || ServerDirectory.opens(root, store) else {
            throw ServerError(
                .badInput, "the recovery key \(try root.shownIdentifier) does not open this backup",
                hint: "Nothing was changed. Each 'rotate' makes a new recovery key.")
        }
        let role = try store.role()
        do throws(ServerError) {
            for number in role.shares { _ = try Vault(store, root).masterShare(number) }
        } catch {
            throw error.kind == .configuration ? fault(store, error) : error
        }
        try store.unmark(event, replaced: replaced)
        try store.close()
        // Closing has moved the write-ahead log into the database file.
        for suffix in ["-wal", "-shm"] { unsafe unlink(path + suffix) }
        return role
    }

    /// Keeps a database and its write-ahead log under another name, and removes the log under the old one, because
    /// SQLite would replay it into the restored database.
    private static func keep(_ database: String, as name: String) throws(ServerError) {
        // Closing an intact database empties its log. A damaged database is kept with its log.
        try? SQLiteStorage(path: database).close()
        for suffix in ["", "-wal"] where suffix.isEmpty || (FileFacts(of: database + suffix)?.size ?? 0) > 0 {
            guard unsafe link(database + suffix, name + suffix) == 0 else {
                throw ServerError(.storage, "cannot rename \(database + suffix): \(SystemError().text)")
            }
        }
        try PrivateFile.sync(FileName.parent(of: database))
        for suffix in ["-wal", "-shm"] { unsafe unlink(database + suffix) }
    }
}
