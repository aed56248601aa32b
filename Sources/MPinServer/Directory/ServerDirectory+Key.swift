// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

extension ServerDirectory {
    /// The place of the key; nil if the directory has none. A key in a file takes precedence over one in the TPM.
    package var keyPlace: KeyPlace? {
        if FileFacts.isThere(key) { return .file }
        return FileFacts.isThere(file(of: .tpm)) ? .tpm : nil
    }

    /// The file of a key.
    func file(of place: KeyPlace, next: Bool = false) -> String {
        (place == .tpm ? "\(path)/seal.tpm" : key) + (next ? ".next" : "")
    }

    /// The TPM of this machine.
    var tpm: SealingTPM { get throws(ServerError) { SealingTPM(device: try readConfiguration().tpmDevice) } }

    /// Reads the key that opens a database. After an interrupted rotation that may be the next key, which then replaces
    /// the present one.
    func readKey(for store: SQLiteStorage) throws(ServerError) -> SealKey {
        let place = keyPlace ?? .file
        let root = try openKey(place)
        if Self.opens(root, store) { return root }
        if let next = try? openKey(place, next: true), Self.opens(next, store) {
            try finishRotation(place)
            return next
        }
        // A rotation may have ended in the meantime. Another server's key would make invitations that are never
        // accepted.
        let last = try openKey(place)
        _ = try Vault(store, last).anyMasterShare()
        return last
    }

    /// Reads the key of a place without checking what it opens.
    func openKey(_ place: KeyPlace, next: Bool = false) throws(ServerError) -> SealKey {
        let file = file(of: place, next: next)
        switch place {
        case .file: return try KeyFile.read(file)
        case .tpm:
            let sealed = try TPMKeyFile(path: file)
            return try tpm.open(sealed, path: file)
        }
    }

    /// Creates the file of a key durably. Does not change an existing file.
    func create(_ file: String, of place: KeyPlace, for key: SealKey) throws(ServerError) {
        switch place {
        case .file: try key.withBytes { bytes throws(ServerError) in try PrivateFile.write(bytes, to: file) }
        case .tpm: try tpm.seal(key).create(file)
        }
    }

    /// Stores a key in a place. Checks that it can be read there and opens the database, and only then gives up another
    /// place.
    func put(_ key: SealKey, in place: KeyPlace, for store: SQLiteStorage) throws(ServerError) {
        let next = file(of: place, next: true)
        try PrivateFile.remove(next)
        try create(next, of: place, for: key)
        do throws(ServerError) { _ = try Vault(store, openKey(place, next: true)).anyMasterShare() } catch {
            unsafe unlink(next)
            throw error
        }
        try finishRotation(place)
        for other in KeyPlace.allCases where other != place {
            for file in [file(of: other), file(of: other, next: true)] { try PrivateFile.remove(file) }
        }
        try PrivateFile.sync(path)
    }

    /// Replaces the key with the next one. Another process may have done it already.
    func finishRotation(_ place: KeyPlace) throws(ServerError) {
        let target = file(of: place)
        guard unsafe rename(file(of: place, next: true), target) == 0 || errno == ENOENT else {
            throw ServerError(.storage, "cannot replace \(target): \(SystemError().text)")
        }
        try PrivateFile.sync(path)
    }

    /// Other files here with an unsealed key: from before rotations and restores, and next to backups.
    var otherKeys: [String] {
        let names = (try? Directory.names(in: path)) ?? []
        return names.map { "\(path)/\($0)" }.filter { file in
            guard file != key, file.hasSuffix(".key") || file.hasPrefix(key + "."), let facts = FileFacts(of: file)
            else { return false }
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

    /// Whether a key belongs to a database.
    static func opens(_ root: SealKey, _ store: SQLiteStorage) -> Bool {
        (try? Vault(store, root).anyMasterShare()) != nil
    }
}
