// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinServerStorage

/// The key pair of P-256 with which a server proves itself to devices. It never changes.
///
/// A class, because the private half cannot be copied.
package final class ServerSigningKey: @unchecked Sendable {
    private let key: DeviceKey
    /// 65 bytes.
    package var publicKey: [UInt8] { key.publicKey.bytes }
    /// SHA-256 of the public half: the name of the server in what devices sign.
    package let hash: [UInt8]
    /// The fingerprint, for people.
    package let fingerprint: String

    package init(_ key: consuming DeviceKey) throws(CryptoError) {
        let fingerprint = try KeyFingerprint(of: key.publicKey.bytes)
        (hash, self.fingerprint) = (fingerprint.bytes, fingerprint.text)
        self.key = key
    }

    /// Whether the private half is kept out of swap.
    package var isLocked: Bool { key.isLocked }

    /// ECDSA over a digest of 32 bytes: r and s, 64 bytes.
    package func sign(_ digest: [UInt8]) throws(CryptoError) -> [UInt8] { try key.sign(digest) }

    /// The private half, sealed.
    package func sealed(by root: SealKey) throws(CryptoError) -> [UInt8] { try root.seal(key, as: .serverKey) }
}

extension Vault {
    /// The server's key; nil for a server that was made before servers had keys, and has none yet.
    ///
    /// - Throws: ``ServerError`` if it cannot be opened, or if its halves, or the name of the server, do not belong
    ///   together. So a server that is named by its key never gets another one.
    package func serverKey() throws(ServerError) -> ServerSigningKey? {
        let (publicKey, sealed) = (try store.serverPublicKey(), try store.sealedSecret(.serverKey))
        let name = try store.identity().serverID
        if publicKey == nil, sealed == nil, name.count != Hash.byteCount { return nil }
        guard let publicKey, let sealed else {
            throw ServerError(.storage, "the database lacks the server key, or half of it")
        }
        do throws(CryptoError) {
            let half = try root.open(sealed, as: .serverKey)
            let key = try ServerSigningKey(DeviceKey(scalar: half, publicKey: DevicePublicKey(publicKey)))
            let isWhole = DevicePublicKey(kept: publicKey).accepts(try key.sign(key.hash), over: key.hash)
            guard isWhole, name.count != Hash.byteCount || name == key.hash else { throw .invalidSeal }
            return key
        } catch {
            throw ServerError(
                .configuration, "the key does not open the server key, or it is another server's", hint: foreignKey())
        }
    }

    /// The server's key. A server that was made before servers had keys gets one now.
    ///
    /// - Parameter actor: who runs the command, for the audit log.
    package func serverKeyOrNew(at now: Timestamp, actor: String? = nil) throws(ServerError) -> ServerSigningKey {
        if let key = try serverKey() { return key }
        let (new, sealed): (ServerSigningKey, [UInt8])
        do throws(CryptoError) {
            new = try ServerSigningKey(DeviceKey.generate())
            sealed = try new.sealed(by: root)
        } catch {
            throw ServerError(.internalFault, "cannot make the server key: \(error)")
        }
        let made = AuditAction.serverKey(fingerprint: new.fingerprint, isCarriedOver: false)
        try store.keepServerKey(new.publicKey, sealed: sealed, event: AuditEvent(made, at: now, actor: actor))
        // Another process may have been first.
        guard let key = try serverKey() else { throw ServerError(.storage, "the database lacks the server key") }
        return key
    }
}
