// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

extension ServerDirectory {
    /// The place of the key; nil if the directory has none. A key in a file takes precedence over one in the TPM.
    package var keyPlace: KeyPlace? { [.file, .tpm].first { FileFacts.isThere(file(of: $0)) } }

    /// The file of the key. It is not in the database, so that a copy of the database alone is useless.
    func file(of place: KeyPlace) -> String { Self.file(of: place, in: state) }

    static func file(of place: KeyPlace, in state: String) -> String {
        state + (place == .tpm ? "/seal.tpm" : "/seal.key")
    }

    /// The file of the key that replaces the present one at the end of a rotation.
    func nextFile(of place: KeyPlace) -> String { file(of: place) + ".next" }

    var tpm: SealingTPM { get throws(ServerError) { SealingTPM(device: try readConfiguration().tpmDevice) } }

    /// Reads the key that opens a database. After an interrupted rotation that may be the next key, which then replaces
    /// the present one.
    func readKey(for store: ServerStorage) throws(ServerError) -> SealKey {
        let place = keyPlace ?? .file
        let root = try openKey(place)
        if Self.opens(root, store) { return root }
        if let next = try? openKey(place, in: nextFile(of: place)), Self.opens(next, store) {
            try finishRotation(place)
            return next
        }
        // A rotation may have ended in the meantime. Another server's key would make invitations that are never
        // accepted.
        let last = try openKey(place)
        guard !store.isShared || Self.opens(last, store) else {
            throw ServerError(
                .configuration, "the key of this node does not open the database",
                hint: "If 'rotate' ran on another node, copy its key here: mpin-server join --key FILE")
        }
        _ = try Vault(store, last).anyMasterShare()
        return last
    }

    /// Reads the key of a place without checking what it opens.
    func openKey(_ place: KeyPlace, in file: String? = nil) throws(ServerError) -> SealKey {
        let path = file ?? self.file(of: place)
        let file = try ServerError.ofFiles { () throws(FileError) in
            try SystemFile.regular(path, O_RDONLY | O_NOFOLLOW)
        }
        return place == .file ? try SealKey.read(file) : try tpm.open(TPMKeyFile(file), path: path)
    }

    /// Reads the key of an open file with any name: one that contains the key, or one that this machine's TPM has sealed.
    func readKey(in file: borrowing SystemFile) throws(ServerError) -> SealKey {
        let isSealed = TPMKeyFile.isOne(file)
        guard lseek(file.descriptor, 0, SEEK_SET) == 0 else {
            throw ServerError(.badInput, "\(file.path) is not a regular file")
        }
        return isSealed ? try tpm.open(TPMKeyFile(file), path: file.path) : try SealKey.read(file)
    }

    /// Writes the file of a key durably. If it is for the TPM, it makes sure that the TPM opens it. The caller holds the
    /// lock of the directory.
    func write(_ key: SealKey, of place: KeyPlace, to file: String) throws(ServerError) {
        DurableFile.removeDrafts(in: FileName.parent(of: file))
        switch place {
        case .file: try key.withBytes { bytes throws(ServerError) in try PrivateFile.write(bytes, to: file) }
        case .tpm:
            let sealed = try tpm.seal(key)
            _ = try tpm.open(sealed, path: file)
            try PrivateFile.write(sealed.text.span, to: file)
        }
    }

    /// Stores the key of the database in a place, and removes it from the others.
    func move(_ key: SealKey, to place: KeyPlace) throws(ServerError) {
        try write(key, of: place, to: file(of: place))
        for other in KeyPlace.allCases {
            try PrivateFile.remove(nextFile(of: other))
            if other != place { try PrivateFile.remove(file(of: other)) }
        }
        try PrivateFile.sync(state)
    }

    /// Replaces the key with the next one. Another process may have done it already.
    func finishRotation(_ place: KeyPlace) throws(ServerError) {
        let target = file(of: place)
        guard unsafe rename(nextFile(of: place), target) == 0 || errno == ENOENT else {
            throw ServerError(.storage, "cannot replace \(target): \(SystemError().text)")
        }
        try PrivateFile.sync(state)
    }

    /// The files of keys that rotations and restores have replaced, which open the backups of their time, and of one that
    /// an interrupted command has left.
    var formerKeys: [String] {
        let files = ((try? Directory.names(in: path)) ?? []).map { "\(path)/\($0)" }
        return files.filter { $0.hasPrefix("\(path)/seal.") }
            + files.filter { $0.hasPrefix(state + ".") }.flatMap { state in
                KeyPlace.allCases.map { Self.file(of: $0, in: state) }.filter(FileFacts.isThere)
            }
    }

    /// The files here with an unsealed key that is not in use: former ones, and those next to backups.
    var otherKeys: [String] {
        let files = ((try? Directory.names(in: path)) ?? []).map { "\(path)/\($0)" }.filter { $0.hasSuffix(".key") }
        return (files + formerKeys).filter { file in
            guard let facts = FileFacts(of: file) else { return false }
            return facts.isFile && facts.size == SealKey.size
        }
    }

    /// Refuses to open files of another user, who decides what they are, and to create files that the owner of the
    /// directory could not use. For root, this comes after ``DirectoryOwner``.
    func demandOwner() throws(ServerError) {
        guard let facts = FileFacts(of: path), facts.owner != geteuid() else { return }
        throw ServerError(
            .notPermitted, "\(path) belongs to another user",
            hint: "Run the command as the owner of \(path), user ID \(facts.owner).",
            account: FileFacts.account(facts.owner))
    }

    static func opens(_ root: SealKey, _ store: ServerStorage) -> Bool {
        (try? Vault(store, root).anyMasterShare()) != nil
    }
}

/// Which recovery keys have been shown. A command that was interrupted may have made one that was not.
extension ServerDirectory {
    private static let longest = 1 << 16

    /// Contains the names of the keys that have been shown or typed, one on each line.
    private var shownKeys: String { "\(path)/recovery-key.shown" }

    /// The name of the recovery key; nil if it was shown, or if there is none.
    package var unshownRecoveryKey: String? {
        guard keyPlace == .tpm, let sealed = try? TPMKeyFile(path: file(of: .tpm)) else { return nil }
        let shown = (try? SystemFile(shownKeys).read(upTo: Self.longest)) ?? []
        let isShown = shown.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(sealed.identifier.utf8) }
        return isShown ? nil : sealed.identifier
    }

    /// Records that the present recovery key has been shown or typed, so that the administrator has it. If that fails,
    /// commands go on to warn.
    package func recoveryKeyWasShown() {
        guard let name = unshownRecoveryKey else { return }
        _ = try? SystemFile(shownKeys, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW).write((name + "\n").utf8.span)
    }
}
