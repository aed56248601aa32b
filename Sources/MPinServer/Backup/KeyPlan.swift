// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// The key that opens a backup, and where it is kept afterwards.
enum KeyPlan {
    /// The present key stays.
    case present(KeyPlace)
    /// The key in the file next to the backup, because no other one was named and the directory has none.
    case beside(GivenFile)
    /// The key file of the command line. The key is kept in this kind of place, and replaces another one there.
    case imported(GivenFile, KeyPlace)
    /// The recovery key. The key is kept in the place that the source names.
    case recovery(RecoveryKeySource)
    /// The command line names a key, but the directory has one that would be used instead.
    ///
    /// - named: the key file of the command line; nil for a recovery key.
    case unused(KeyPlace, named: String?)

    init(_ directory: ServerDirectory, from input: BackupInput, recovery: RecoveryKeySource?) {
        let present = directory.keyPlace
        if let recovery {
            self =
                present == nil || input.key == nil && present == .tpm
                ? .recovery(recovery) : .unused(present ?? .file, named: input.key?.path)
        } else if let key = input.key {
            let given: KeyPlace = key.isSealedKey ? .tpm : .file
            self =
                present == nil || present == given
                ? .imported(key, given) : .unused(present ?? .file, named: key.path)
        } else if let present {
            self = .present(present)
        } else {
            self = .beside(input.beside)
        }
    }

    /// Whether the command line names the key, so that the command tries no other one.
    private var isNamed: Bool {
        switch self {
        case .imported, .recovery, .unused: true
        case .present, .beside: false
        }
    }

    /// Refuses a key of the command line that would not be used, because the directory has one.
    func demandUsed(in directory: ServerDirectory) throws(ServerError) {
        guard case .unused(let place, let named) = self else { return }
        let file = directory.file(of: place)
        let option = named == nil ? "--recovery-key-file" : "--key"
        throw ServerError(
            .cannotCreate, "\(file) exists, so \(named.map { "--key \($0)" } ?? option) would not be used",
            hint: """
                Nothing was changed. Omit \(option) to restore with the present key.
                If that is the wrong key, run: mv \(ShellWord.operand(file)) \(ShellWord.operand(file + ".before"))
                """)
    }

    /// The key.
    func open(_ directory: ServerDirectory) throws(ServerError) -> SealKey {
        switch self {
        case .recovery(let recovery): return try RecoveryKey.read(recovery.input)
        case .present(let place), .unused(let place, _): return try directory.openKey(place)
        case .imported(let file, _), .beside(let file):
            if file.isMissing { throw Self.missing(file.path, directory) }
            return try file.readKey(for: directory)
        }
    }

    /// Where the key has to be stored; nil if it is there.
    func newPlace(of key: SealKey, in directory: ServerDirectory) throws(ServerError) -> KeyPlace? {
        switch self {
        case .present, .unused: return nil
        case .recovery(let recovery): return recovery.place
        case .imported(_, let place): return try directory.hasKey(key, in: place) ? nil : place
        case .beside: return .file
        }
    }

    /// The error if the key does not open the master shares of a backup.
    ///
    /// - Parameters:
    ///   - fault: the error of opening them.
    ///   - isRight: whether another key opens them.
    func foreign(
        _ root: SealKey, _ fault: ServerError, of input: BackupInput, _ directory: ServerDirectory,
        where isRight: (SealKey) -> Bool
    ) throws(ServerError) -> ServerError {
        if case .recovery = self {
            return Self.foreignRecovery(try root.shownIdentifier, "Each 'rotate' makes a new recovery key.")
        }
        if isNamed { return fault }
        return directory.otherKey(of: input, than: name(in: directory), fault, where: isRight)
    }

    /// The error for a backup whose MAC another key has made.
    func mismatch(
        _ mac: BackupMAC, _ root: SealKey, of input: BackupInput, _ directory: ServerDirectory
    ) throws(ServerError) -> ServerError {
        let name = try root.shownIdentifier
        if mac.keyName == name { return BackupMAC.altered(input.backup.path) }
        if case .recovery = self {
            return Self.foreignRecovery(name, "The backup needs the key \(mac.keyName). Each 'rotate' makes a new one.")
        }
        let fault = ServerError(
            .configuration, "\(self.name(in: directory)) is not the key of this backup",
            hint: "Nothing was changed. The backup needs the key \(mac.keyName), but this is \(name). Restore it with "
                + "its own key: --key FILE, or --recovery-key-file -")
        if isNamed { return fault }
        return directory.otherKey(of: input, than: self.name(in: directory), fault) { key in
            (try? mac.isMade(by: key)) == true
        }
    }

    private static func foreignRecovery(_ name: String, _ reason: String) -> ServerError {
        ServerError(
            .badInput, "the recovery key \(name) does not open this backup", hint: "Nothing was changed. \(reason)")
    }

    /// What contains the key, in messages.
    private func name(in directory: ServerDirectory) -> String {
        switch self {
        case .present(let place), .unused(let place, _): directory.file(of: place)
        case .imported(let file, _), .beside(let file): file.path
        case .recovery: "the recovery key"
        }
    }

    private static func missing(_ path: String, _ directory: ServerDirectory) -> ServerError {
        ServerError(
            .configuration, "\(directory.path) has no key, and \(path) does not exist",
            hint: """
                Give a copy of the old server's seal.key: --key FILE
                If the key was sealed to a TPM, give the recovery key: --recovery-key-file -
                or, on the machine with that TPM, a copy of seal.tpm: --key FILE
                Without one of these, no backup can be restored.\(directory.keptKeys)
                """)
    }
}
