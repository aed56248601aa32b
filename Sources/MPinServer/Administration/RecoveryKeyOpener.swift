/// The recovery key that is to open a backup, and whether it does.
///
/// The file of a key that a TPM has sealed names its recovery key; but the file may be another server's.
public enum RecoveryKeyOpener: Sendable {
    /// The TPM has opened the key, and the key the database.
    case verified(name: String)
    /// The TPM does not open the key now, so that only the file says which one it is.
    case unverified(name: String, reason: String)
    /// The key is that of another server, or of before a rotation.
    case foreign(name: String)

    init(of directory: ServerDirectory, _ store: Store) throws(ServerFault) {
        let written = try TPMKeyFile(path: directory.file(of: .tpm)).identifier
        do throws(ServerFault) {
            let key = try directory.openKey(.tpm)
            let name = try key.shownIdentifier
            self = ServerDirectory.opens(key, store) ? .verified(name: name) : .foreign(name: name)
        } catch {
            self = .unverified(name: written, reason: error.message)
        }
    }
}
