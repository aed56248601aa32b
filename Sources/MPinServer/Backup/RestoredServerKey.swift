// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage

/// The key with which a restored server proves itself.
package enum RestoredServerKey: Sendable {
    /// That of the backup or, for a backup from before servers had one, of the replaced database.
    case kept(fingerprint: String)
    /// Devices may know another one: the replaced database had it, or it is lost.
    case changed(fingerprint: String)

    package var fingerprint: String {
        switch self {
        case .kept(let fingerprint), .changed(let fingerprint): fingerprint
        }
    }

    package var isChanged: Bool { if case .changed = self { true } else { false } }

    /// Gives a restored database its key if the backup contains none.
    ///
    /// - Parameters:
    ///   - root: the sealing key of the backup.
    ///   - directory: that of the replaced database, if there is one.
    ///   - actor: who runs the command, for the audit log.
    init(
        of store: any ServerStorage, _ root: SealKey, replacing directory: ServerDirectory, at now: Timestamp,
        actor: String
    ) throws(ServerError) {
        let vault = Vault(store, root)
        let former = Self.former(directory, sameAs: try store.identity())
        if let key = try vault.serverKey() {
            self =
                former == nil || former?.publicKey == key.publicKey
                ? .kept(fingerprint: key.fingerprint) : .changed(fingerprint: key.fingerprint)
            return
        }
        if let key = former?.open(with: root) {
            let sealed: [UInt8]
            do throws(CryptoError) {
                sealed = try key.sealed(by: root)
            } catch {
                throw ServerError(.internalFault, "cannot seal the server key: \(error)")
            }
            let action = AuditAction.serverKey(fingerprint: key.fingerprint, isCarriedOver: true)
            try store.keepServerKey(
                key.publicKey, sealed: sealed, event: AuditEvent(action, at: now, actor: actor))
            self = .kept(fingerprint: key.fingerprint)
            return
        }
        self = .changed(fingerprint: try vault.serverKeyOrNew(at: now, actor: actor).fingerprint)
    }

    /// The key in the replaced database.
    private struct Former {
        let publicKey: [UInt8]
        let store: any ServerStorage
        /// The sealing keys in the directory. A restore can bring another one.
        let roots: [SealKey]

        func open(with root: SealKey) -> ServerSigningKey? {
            for root in [root] + roots {
                if let key = try? Vault(store, root).serverKey() { return key }
            }
            return nil
        }
    }

    /// - Returns: nil if there is none, if it cannot be read, or if the database belongs to another server.
    private static func former(_ directory: ServerDirectory, sameAs identity: ServerIdentity) -> Former? {
        guard let store = try? SQLiteStorage(path: directory.database), let own = try? store.identity(),
            own.appID == identity.appID, own.serverID == identity.serverID,
            let publicKey = try? store.serverPublicKey()
        else { return nil }
        let place = directory.keyPlace ?? .credential
        let roots = [false, true].compactMap { next in try? directory.openKey(place, next: next) }
        return Former(publicKey: publicKey, store: store, roots: roots)
    }
}
