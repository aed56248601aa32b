internal import GRDB

extension Store {
    /// What is said where a sealing key does not open what is sealed here: which of the files do not belong together.
    var foreignKey: String {
        let database = pool.path
        let directory = ServerDirectory(CopiedFile.parent(of: database))
        guard database == directory.database else {
            return "The key is not the one of this backup: each opens with the key of its time, after a rotation with "
                + "seal.key.before-TIME or the recovery key from before."
        }
        let key = directory.keyPlace.map { directory.file(of: $0) } ?? "The credential"
        return "\(key) does not belong to \(database): it is the key of another server, or of before a rotation. "
            + "Put the one back that does, or restore a backup with its key: mpin-server restore"
    }
}
