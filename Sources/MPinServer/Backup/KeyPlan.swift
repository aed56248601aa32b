// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage

/// The key that opens a backup, and where it is kept afterwards.
enum KeyPlan {
    /// The key in the directory stays.
    case present(KeyPlace)
    /// A key file. The key is kept in this kind of place, and replaces another one there.
    case imported(String, KeyPlace)
    /// The recovery key. The key is kept in the place that the source names.
    case recovery(RecoveryKeySource)
    /// The command line names a key, but the directory has one that would be used instead.
    case unused(KeyPlace)

    init(_ directory: ServerDirectory, from file: String, key: String?, recovery: RecoveryKeySource?) {
        let present = directory.keyPlace
        let given = key.map { TPMKeyFile.isOne($0) ? KeyPlace.tpm : .file }
        if let recovery, present == nil || key == nil && present == .tpm {
            self = .recovery(recovery)
        } else if let present, key == nil, recovery == nil {
            self = .present(present)
        } else if let present, recovery != nil || given != present {
            self = .unused(present)
        } else {
            self = .imported(key ?? file + ".key", given ?? .file)
        }
    }

    /// The files that the command needs to read.
    var files: [String] {
        if case .imported(let path, _) = self { [path] } else { [] }
    }

    /// Where the key has to be stored; nil if it is there.
    func newPlace(of key: SealKey, in directory: ServerDirectory) throws(ServerError) -> KeyPlace? {
        switch self {
        case .present, .unused: return nil
        case .recovery(let recovery): return recovery.place
        case .imported(_, let place):
            guard directory.keyPlace != nil, try directory.hasKey(key, in: place) else { return place }
            return nil
        }
    }
}
