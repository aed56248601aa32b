// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// Makes a new server in an empty or missing directory.
package enum Initialization {
    /// Creates the directory, the key and the database. Never overwrites existing files.
    ///
    /// - Parameters:
    ///   - kind: which of the two authorities it has.
    ///   - publicURL: the public address; nil if the client settings contain only paths.
    ///   - place: where to store the key: in a file, or sealed to the TPM.
    ///   - display: when to show the recovery key of a sealed key.
    ///   - actor: who runs the command, for the audit log.
    package static func run(
        _ directory: ServerDirectory, as kind: NewServer = .combined, publicURL: String?,
        seal place: KeyPlace = .file, showing display: RecoveryKeyDisplay = .withAnswer, actor: String
    ) throws(ServerError) -> InitializedServer {
        let address = try publicURL.map { url throws(ServerError) in try PublicURL.checked(url, at: "--public-url") }
        let lock = try Self.lock(directory)
        defer { withExtendedLifetime(lock) {} }
        try directory.settleRestoration()
        try prepare(directory)
        let fresh = directory.unfinishedDatabase
        // This file exists before the key and becomes the database. While it exists, the key opens nothing yet, so an
        // interrupted run can be repeated.
        if directory.isKeyAlone { try removeKeys(directory) }
        DatabaseFiles.remove(fresh)
        // Other users must not be able to read it at any time. SQLite creates files according to the umask, which belongs
        // to the whole process, but gives companion files the mode of the database.
        try PrivateFile.make(fresh)
        do throws(ServerError) {
            let key = try SealKey.generate()
            let recovery = place == .tpm ? try RecoveryKey(key) : nil
            try directory.create(directory.file(of: place), of: place, for: key)
            let fingerprint = try fill(fresh, as: kind, key: key, publicURL: address, actor: actor)
            // The database is a single file now. SQLite has left its two empty companions under the old name.
            for suffix in ["-wal", "-shm"] { try PrivateFile.remove(fresh + suffix) }
            if let recovery { try display.begin(recovery, directory) }
            try PrivateFile.rename(fresh, to: directory.database)
            // A failure here undoes nothing, because key and database are both complete.
            try? PrivateFile.sync(directory.path)
            return InitializedServer(fingerprint: fingerprint, recovery: recovery)
        } catch {
            // A key without a database opens nothing.
            try removeKeys(directory)
            DatabaseFiles.remove(fresh)
            directory.recoveryKeyWasShown()
            throw error
        }
    }

    /// Waits for another run in the same directory, for example of a command whose caller was killed. The files that it
    /// has made are found afterwards.
    ///
    /// - Returns: the lock; nil for a directory of another account, which is refused later.
    private static func lock(_ directory: ServerDirectory) throws(ServerError) -> SystemFile? {
        _ = try directory.make()
        guard let file = try? SystemFile(directory.path, O_RDONLY | O_DIRECTORY) else { return nil }
        while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
        return file
    }

    private static func prepare(_ directory: ServerDirectory) throws(ServerError) {
        let facts = try directory.make()
        try directory.demandOwner()
        if directory.isKeyAlone, !FileFacts.isThere(directory.unfinishedDatabase) {
            let fault = directory.keyAlone
            throw ServerError(.cannotCreate, fault.message, hint: "Nothing was changed. \(fault.hint)")
        }
        let keys = directory.isKeyAlone ? [] : [directory.key, directory.file(of: .tpm)]
        for file in [directory.database] + keys {
            switch FileFacts.of(file) {
            case .success:
                throw ServerError(
                    .cannotCreate, "\(directory.path) is already initialized: \(file) exists",
                    hint: "Nothing was changed. Choose another directory.")
            case .failure(let error): guard error.number == ENOENT else { throw error.fault(file, hint: "") }
            }
        }
        try close(directory, mode: facts.mode)
    }

    /// Removes the access of other users to the directory, unless it contains files that are not the server's.
    private static func close(_ directory: ServerDirectory, mode: UInt32) throws(ServerError) {
        if mode & 0o077 == 0 { return }
        guard let contents = try? Directory.names(in: directory.path) else {
            throw ServerError(.notPermitted, "cannot read \(directory.path)")
        }
        guard contents.allSatisfy({ "\(directory.path)/\($0)" == directory.ownConfiguration }) else {
            throw ServerError(
                .cannotCreate, "other users can access \(directory.path), and it is not empty",
                hint: "Nothing was changed. Choose an empty directory, or one with mode 0700.")
        }
        guard unsafe chmod(directory.path, 0o700) == 0 else {
            throw ServerError(.notPermitted, "cannot restrict access to \(directory.path): \(SystemError().text)")
        }
    }

    private static func fill(
        _ path: String, as kind: NewServer, key: SealKey, publicURL: String?, actor: String
    ) throws(ServerError) -> String? {
        let (settings, fingerprint): (FixedSettings, String?)
        do throws(CryptoError) {
            settings = try kind.settings(sealedBy: key, publicURL: publicURL)
            fingerprint = try settings.serverPublicKey.map { key throws(CryptoError) in try KeyFingerprint(of: key).text
            }
        } catch { throw ServerError(.internalFault, "cannot make the keys: \(error)") }
        let store = try SQLiteStorage.create(path: path)
        try store.initialize(settings, event: AuditEvent(.initialized, at: ServerClock.system.now, actor: actor))
        try store.close()
        return fingerprint
    }

    private static func removeKeys(_ directory: ServerDirectory) throws(ServerError) {
        for place in KeyPlace.allCases { try PrivateFile.remove(directory.file(of: place)) }
    }
}

/// A server that was initialized.
package struct InitializedServer: Sendable {
    /// The fingerprint of its key: its permanent ID, in groups of digits; nil for an authority, which has none.
    package let fingerprint: String?
    /// The recovery key, for use without the TPM; nil if the key is in a file.
    package let recovery: RecoveryKey?
}
