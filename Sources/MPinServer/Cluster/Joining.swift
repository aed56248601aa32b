// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// Makes a directory the node of a server on a shared database: stores the server's sealing key there.
///
/// A node has nothing else of its own. So the key and access to the database make any host a node.
package struct Joining: Sendable {
    package let keyFile: String
    package let node: String
    /// The fingerprint of the server's key.
    package let fingerprint: String
    /// Where the directory's former key is; nil if it had none.
    package let formerState: String?

    /// The sealing key, as the administrator brings it to the new node.
    package enum Key: Sendable {
        case file(GivenFile)
        case recovery(RecoveryKeyInput)
    }

    /// - Parameter directory: may be missing, or contain the key from before a rotation.
    /// - Throws: ``ServerError``. Then nothing has changed.
    package static func run(
        _ directory: ServerDirectory, key input: Key, to place: KeyPlace, actor: String
    ) throws(ServerError) -> Joining {
        try directory.make().demandPrivate(directory.path)
        try directory.demandOwner()
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        guard try directory.readConfiguration().database != nil else {
            throw ServerError(
                .configuration, "no database of a server to join is configured",
                hint: "Set in \(directory.configuration): database = postgresql://HOST/NAME")
        }
        guard !FileFacts.isThere(directory.database) else {
            throw ServerError(
                .cannotCreate, "\(directory.path) contains a server of its own",
                hint: "Nothing was changed. Move it to an empty database: mpin-server move")
        }
        let store = try directory.storage(.writing)
        let key: SealKey
        switch input {
        case .file(let file): key = try file.readKey(for: directory)
        case .recovery(let input): key = try RecoveryKey.read(input)
        }
        guard ServerDirectory.opens(key, store) else {
            throw ServerError(
                .badInput, "the key \(try key.identifier) does not open the database",
                hint: "Nothing was changed. Copy state/seal.key from the directory of a node that runs.\n"
                    + "After a 'rotate', all nodes need the new key.")
        }
        let fingerprint = try Vault(store, key).serverKey().fingerprint
        let (_, before) = try directory.replaceState { state throws(ServerError) in
            try directory.write(key, of: place, to: ServerDirectory.file(of: place, in: state))
        }
        // The caller has the key.
        directory.recoveryKeyWasShown()
        let name = directory.nodeName
        try store.record([AuditEvent(.joined(name), at: ServerClock.system.now, actor: actor)])
        try store.close()
        return Joining(
            keyFile: directory.file(of: place), node: name, fingerprint: fingerprint, formerState: before)
    }
}
