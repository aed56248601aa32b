// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

extension Vault {
    init(_ store: SQLiteStorage, _ root: SealKey) {
        let database = store.place
        self.init(store: store, root: root, foreignKey: { Self.foreignKey(database) })
    }

    /// The hint for a sealing key that does not open a database's secrets, which names the files that do not belong
    /// together.
    private static func foreignKey(_ database: String) -> String {
        let directory = ServerDirectory(FileName.parent(of: database))
        guard database == directory.database else {
            return "This is not the key of this backup. A backup made before a rotation needs "
                + "seal.key.before-TIME or the previous recovery key."
        }
        let key = directory.file(of: directory.keyPlace ?? .file)
        return "\(key) does not belong to \(database): it is another server's key, or one from before a rotation.\n"
            + "Put the right key back.\nOr restore a backup: mpin-server restore --key KEYFILE FILE --dir \(directory.path)"
    }
}
