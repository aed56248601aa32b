internal import CommandSyntax
internal import Glibc
internal import MPinCrypto

/// A backup that has taken the place of a server's database.
public struct Restoration: Sendable {
    /// When the backup was taken: everything since then is undone.
    public let taken: String
    /// Where the database from before is kept; nil where there was none.
    public let before: String?
    /// What the backup is of.
    public let role: ServerRole
    /// Devices whose registrations have lost their keys; nil where the database from before could not tell.
    public let lostDeviceKeys: LostDeviceKeys?

    /// Puts a backup in the place of the database, whole or not at all.
    ///
    /// - Parameters:
    ///   - directory: where; need not be there.
    ///   - file: the backup.
    ///   - key: the key of the backup; nil for the one that is there or, in a directory without one, `FILE.key`. It takes
    ///     the place of another one in the same kind of place, which is kept.
    ///   - recovery: where the recovery key stands that opens the backup, and where the key is to lie from now on.
    ///   - actor: who does it, for the audit log.
    public static func run(
        _ directory: ServerDirectory, from file: String, key: String?, recovery: RecoveryKeySource? = nil,
        actor: String
    ) throws(ServerFault) -> Restoration {
        if CopiedFile.isThere(directory.path) { try directory.settleRestoration() }
        let place = directory.keyPlace
        let isSealed = key.map(TPMKeyFile.isOne) ?? false
        let isKeyNeeded = recovery == nil && (place == nil || key != nil && place == (isSealed ? .tpm : .file))
        let ownership = BackupOwnership(of: [file] + (isKeyNeeded ? [key ?? file + ".key"] : []), to: directory)
        try prepare(directory, ownership)
        if let place, key != nil && !isKeyNeeded || recovery != nil && place == .file {
            let option = key.map { "--key \($0)" } ?? "--recovery-key-file"
            throw keyIsThere(directory.file(of: place), option: option)
        }
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let fresh = directory.unrestoredDatabase
        CopiedFile.removeDatabase(fresh)
        defer { CopiedFile.removeDatabase(fresh) }
        try ownership.demandReadable(file)
        try CopiedFile.copy(file, to: fresh)
        let taken = try BackupFile(name: file, path: fresh).check()
        let root: SealKey
        if let recovery {
            root = try RecoveryKey.read(recovery.file)
        } else if let place, !isKeyNeeded {
            root = try directory.openKey(place)
        } else {
            root = try directory.readKey(keptAs: self.key(key ?? file + ".key", directory, ownership))
        }
        let now = ServerClock.system.now
        let before = CopiedFile.isThere(directory.database) ? CopiedFile.unusedName(directory.database, now) : nil
        let role = try open(
            fresh, with: root, isRecovery: recovery != nil,
            orElse: { store, fault in key == nil ? directory.otherKey(store, of: file, fault) : fault },
            then: AuditEvent(
                .rolledBack, at: now, actor: actor, detail: "to \(taken)" + (before.map { ", before it: \($0)" } ?? ""))
        )
        let lost =
            role == .authority ? nil : before.flatMap { _ in LostDeviceKeys(from: directory.database, to: fresh) }
        try CopiedFile.sync(fresh)
        var isThere = false
        if isKeyNeeded, let place { isThere = try directory.hasKey(root, in: place) }
        let newPlace: KeyPlace? = isKeyNeeded ? (isThere ? nil : isSealed ? .tpm : .file) : recovery?.place
        let change = KeyChange(of: directory, to: newPlace, now)
        let journal = RestorationJournal(directory, change, before: before)
        try journal.begin()
        do throws(ServerFault) {
            if let newPlace { try change.make(directory, newPlace, root) }
            if let before { try keep(directory.database, as: before) }
            guard unsafe rename(fresh, directory.database) == 0 else {
                throw ServerFault(.storage, "cannot replace \(directory.database): \(SystemError().text)")
            }
        } catch {
            // The key of the backup does not open the database that is still there.
            try? journal.settle()
            throw error
        }
        try CopiedFile.sync(directory.path)
        try journal.end()
        if recovery != nil { directory.recoveryKeyWasShown() }
        return Restoration(taken: taken, before: before, role: role, lostDeviceKeys: lost)
    }

    private static func prepare(_ directory: ServerDirectory, _ ownership: BackupOwnership) throws(ServerFault) {
        let facts = try directory.make()
        try facts.demandPrivate(directory.path)
        // The owner of the directory could not use files that root creates.
        guard facts.owner == geteuid() else { throw ownership.fault("\(directory.path) belongs to another user") }
    }

    private static func keyIsThere(_ file: String, option: String) -> ServerFault {
        ServerFault(
            .cannotCreate, "\(file) is there already, so that \(option) would not be used",
            hint: """
                Nothing was changed. Leave \(option.prefix { $0 != " " }) away to restore with the key that is there. Where \
                that is the wrong one, run: mv \(ShellWord.operand(file)) \(ShellWord.operand(file + ".before"))
                """)
    }

    private static func key(_ path: String, _ directory: ServerDirectory, _ ownership: BackupOwnership)
        throws(ServerFault)
        -> String
    {
        guard case .success(let facts) = FileFacts.of(path) else {
            throw ServerFault(
                .configuration, "\(directory.path) has no key, and there is no \(path)",
                hint: """
                    Give the copy of the old server's seal.key: --key FILE. Where the key was sealed to a TPM, the recovery \
                    key: --recovery-key-file -; or, on the machine of that TPM, a copy of seal.tpm: --key FILE. Without one \
                    of them no backup can be used.\(directory.keptKeys)
                    """)
        }
        guard facts.isFile else { throw ServerFault(.configuration, "\(path) is not a regular file") }
        try ownership.demandReadable(path)
        try facts.demandPrivate(path)
        return path
    }

    /// Migrates the copy, checks that the key opens its master shares, and records the restoration in it.
    ///
    /// - Parameter fault: what is said where the key does not open it.
    /// - Returns: what it is of.
    private static func open(
        _ path: String, with root: SealKey, isRecovery: Bool, orElse fault: (Store, ServerFault) -> ServerFault,
        then event: AuditEvent
    ) throws(ServerFault) -> ServerRole {
        let store = try Store(path: path)
        guard !isRecovery || ServerDirectory.opens(root, store) else {
            throw ServerFault(
                .badInput, "the recovery key \(try root.shownIdentifier) does not open this backup",
                hint: "Nothing was changed. Each rotation makes another one.")
        }
        let role = try store.role()
        do throws(ServerFault) {
            for number in role.shares { _ = try ServerState.masterShare(number, store, root) }
        } catch {
            throw error.kind == .configuration ? fault(store, error) : error
        }
        try store.unmark(event)
        try store.close()
        // Closing has moved the write-ahead log into the database file.
        for suffix in ["-wal", "-shm"] { unsafe unlink(path + suffix) }
        return role
    }

    /// Keeps a database and its write-ahead log under another name, and removes the log under the old one: SQLite would
    /// replay it into the restored database.
    private static func keep(_ database: String, as name: String) throws(ServerFault) {
        // Closing an intact database empties its log. A damaged one is kept with its log.
        try? Store(path: database).close()
        for suffix in ["", "-wal"] where suffix.isEmpty || CopiedFile.hasBytes(database + suffix) {
            guard unsafe link(database + suffix, name + suffix) == 0 else {
                throw ServerFault(.storage, "cannot keep \(database + suffix): \(SystemError().text)")
            }
        }
        try CopiedFile.sync(CopiedFile.parent(of: database))
        for suffix in ["-wal", "-shm"] { unsafe unlink(database + suffix) }
    }
}
