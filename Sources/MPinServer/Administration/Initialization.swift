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
    /// - Parameter display: shows the recovery key before it is used; nil if the caller shows it afterwards.
    package static func run(
        _ directory: ServerDirectory, as kind: NewServer = .combined, publicURL: String?,
        seal place: KeyPlace = .file, showing display: RecoveryKeyDisplay? = nil, actor: String
    ) throws(ServerError) -> InitializedServer {
        let address = try publicURL.map { url throws(ServerError) in try PublicURL.checked(url, at: "--public-url") }
        if kind.role == .authority {
            try directory.demandSQLite("A second authority uses SQLite. Remove the setting.")
        }
        let facts = try directory.make()
        try directory.demandOwner()
        try demandNone(in: directory)
        try close(directory, mode: facts.mode)
        // Another run, for example of a command whose caller was killed, may have made a server meanwhile.
        let lock = try ServerLock(directory, waits: true)
        defer { withExtendedLifetime(lock) {} }
        try demandNone(in: directory)
        return try directory.replaceState { state throws(ServerError) in
            let key = try SealKey.generate()
            let recovery = place == .tpm ? try RecoveryKey(key) : nil
            try directory.write(key, of: place, to: ServerDirectory.file(of: place, in: state))
            let store = try directory.makeStorage(in: state)
            let fingerprint = try fill(store, as: kind, key: key, publicURL: address, actor: actor)
            // The database is a single file now. SQLite has left its two empty companions.
            for suffix in ["-wal", "-shm"] { try PrivateFile.remove(ServerDirectory.database(in: state) + suffix) }
            if let recovery { try display?(recovery) }
            return InitializedServer(fingerprint: fingerprint, recovery: recovery)
        }.made
    }

    private static func demandNone(in directory: ServerDirectory) throws(ServerError) {
        guard FileFacts.isThere(directory.state) else { return }
        throw ServerError(
            .cannotCreate, "\(directory.path) is already initialized: \(directory.state) exists",
            hint: "Nothing was changed. Choose another directory.")
    }

    /// Removes the access of other users to the directory, unless it contains files that are not the server's.
    private static func close(_ directory: ServerDirectory, mode: UInt32) throws(ServerError) {
        if mode & 0o077 == 0 { return }
        guard let contents = try? Directory.names(in: directory.path) else {
            throw ServerError(.notPermitted, "cannot read \(directory.path)")
        }
        let own = [directory.configuration, directory.lock, directory.timeline]
        guard contents.allSatisfy({ own.contains("\(directory.path)/\($0)") }) else {
            throw ServerError(
                .cannotCreate, "other users can access \(directory.path), and it is not empty",
                hint: "Nothing was changed. Choose an empty directory, or one with mode 0700.")
        }
        guard unsafe chmod(directory.path, 0o700) == 0 else {
            throw ServerError(.notPermitted, "cannot restrict access to \(directory.path): \(SystemError().text)")
        }
    }

    private static func fill(
        _ store: ServerStorage, as kind: NewServer, key: SealKey, publicURL: String?, actor: String
    ) throws(ServerError) -> String? {
        let (settings, fingerprint): (FixedSettings, String?)
        do throws(CryptoError) {
            settings = try kind.settings(sealedBy: key, publicURL: publicURL)
            fingerprint = try settings.serverPublicKey.map { key throws(CryptoError) in try KeyFingerprint(of: key).text
            }
        } catch { throw ServerError(.internalFault, "cannot make the keys: \(error)") }
        try store.initialize(settings, event: AuditEvent(.initialized, at: ServerClock.system.now, actor: actor))
        try store.close()
        return fingerprint
    }
}

package struct InitializedServer: Sendable {
    /// The fingerprint of its key: its permanent ID, in groups of digits; nil for an authority, which has none.
    package let fingerprint: String?
    /// The recovery key, for use without the TPM; nil if the key is in a file.
    package let recovery: RecoveryKey?
}
