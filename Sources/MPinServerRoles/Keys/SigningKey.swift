// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinServerStorage

/// Signs for one purpose with HMAC-SHA-256.
package final class SigningKey: @unchecked Sendable {
    private let key: SecretBytes

    init(_ purpose: KeyPurpose, from root: SealKey) throws(CryptoError) { key = try root.derive(purpose) }

    /// A key that a rotation has retired.
    init(_ retired: RetiredKey, from root: SealKey) throws(CryptoError) { key = try root.open(retired: retired) }

    /// The signature of these parts, 32 bytes.
    func sign(_ parts: [String]) throws(CryptoError) -> [UInt8] { try Hash.hmac(key: key, SignedParts.bytes(parts)) }

    /// Seals a secret under a key that is derived from this one.
    ///
    /// - Parameter context: what the secret belongs to; opening needs the same.
    func seal(_ secret: borrowing SecretBytes, context: [String]) throws(CryptoError) -> [UInt8] {
        try SealedBox.seal(secret, key: sealingKey(), context: SignedParts.bytes(context))
    }

    func open(_ sealed: [UInt8], context: [String]) throws(CryptoError) -> SecretBytes {
        try SealedBox.open(sealed, key: sealingKey(), context: SignedParts.bytes(context))
    }

    private func sealingKey() throws(CryptoError) -> SecretBytes {
        try Hash.derive(from: key, Array("mpin-server sealing key 1".utf8))
    }

    /// Whether a signature is valid for these parts, in constant time.
    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool {
        Hash.equal(signature, try sign(parts))
    }
}

/// Makes keys, and turns errors of the cryptography into errors of the server.
package enum ServerKeys {
    package static func signing(_ purpose: KeyPurpose, _ root: SealKey) throws(ServerError) -> SigningKey {
        do throws(CryptoError) { return try SigningKey(purpose, from: root) } catch {
            throw ServerError(.internalFault, "cannot derive the key for \(purpose.rawValue): \(error)")
        }
    }

    /// The key for a purpose, and the keys that rotations have retired.
    static func all(_ purpose: KeyPurpose, _ vault: Vault) throws(ServerError) -> [SigningKey] {
        var keys = [try signing(purpose, vault.root)]
        for retired in try vault.store.retiredKeys(purpose) {
            do throws(CryptoError) { keys.append(try SigningKey(retired, from: vault.root)) } catch {
                throw ServerError(.storage, "cannot open a former key for \(purpose.rawValue)")
            }
        }
        return keys
    }
}
