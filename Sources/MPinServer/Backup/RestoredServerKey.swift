// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// The key with which a restored server proves itself.
package enum RestoredServerKey: Sendable {
    /// That of the backup or, for a backup from before servers had one, of the replaced database.
    case kept(fingerprint: String)
    /// Devices may know another key: that of the replaced database, or one that is lost.
    case changed(fingerprint: String)
    /// That of the backup. Whether devices know another one is not known, because no replaced database can be read.
    case unknown(fingerprint: String)

    package var fingerprint: String {
        switch self {
        case .kept(let fingerprint), .changed(let fingerprint), .unknown(let fingerprint): fingerprint
        }
    }

    /// Whether devices know another key; nil if that is not known.
    package var isChanged: Bool? {
        switch self {
        case .kept: false
        case .changed: true
        case .unknown: nil
        }
    }

    /// Gives a restored database its key if the backup contains none.
    ///
    /// - Parameters:
    ///   - root: the sealing key of the backup.
    ///   - replaced: the replaced database.
    ///   - directory: that of the server.
    ///   - actor: who runs the command, for the audit log.
    init(
        of store: any ServerStorage, _ root: SealKey, replacing replaced: ReplacedDatabase,
        in directory: ServerDirectory, at now: Timestamp, actor: String
    ) throws(ServerError) {
        let vault = Vault(store, root)
        let identity = try store.identity()
        let former = Self.former(replaced, in: directory, sameAs: identity, root)
        if let key = try vault.serverKey() {
            // A server that is named by its key never had another one.
            let isCertain = replaced.store != nil || identity.serverID == key.hash
            self =
                former != nil && former?.publicKey != key.publicKey
                ? .changed(fingerprint: key.fingerprint)
                : isCertain ? .kept(fingerprint: key.fingerprint) : .unknown(fingerprint: key.fingerprint)
            return
        }
        if let key = former?.key {
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

    /// The key of the replaced database.
    ///
    /// - Returns: nil if it has none, if it cannot be read, or if it belongs to another server. The key is nil if no
    ///   sealing key here opens it.
    private static func former(
        _ replaced: ReplacedDatabase, in directory: ServerDirectory, sameAs identity: ServerIdentity, _ root: SealKey
    ) -> (publicKey: [UInt8], key: ServerSigningKey?)? {
        guard let store = replaced.store, let own = try? store.identity(), own.appID == identity.appID,
            own.serverID == identity.serverID, let publicKey = try? store.serverPublicKey()
        else { return nil }
        // A restore can bring another sealing key than that of the directory.
        let place = directory.keyPlace ?? .credential
        let roots = [root] + [false, true].compactMap { next in try? directory.openKey(place, next: next) }
        let keys = roots.lazy.compactMap { root in try? Vault(store, root).serverKey() }
        return (publicKey, keys.first)
    }
}
