// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinServerStorage

/// Makes keys, and turns errors of the cryptography into errors of the server.
package enum ServerKeys {
    package static func signing(_ purpose: KeyPurpose, _ root: SealKey) throws(ServerError) -> SigningKey {
        do throws(CryptoError) {
            return try SigningKey(purpose, from: root)
        } catch {
            throw ServerError(.internalFault, "cannot derive the key for \(purpose.name): \(error)")
        }
    }

    /// The key for a purpose, and the keys that rotations have retired.
    static func all(_ purpose: KeyPurpose, _ vault: Vault) throws(ServerError) -> [SigningKey] {
        var keys = [try signing(purpose, vault.root)]
        for retired in try vault.store.retiredKeys(purpose) {
            do throws(CryptoError) {
                keys.append(try SigningKey(retired, from: vault.root))
            } catch {
                throw ServerError(.storage, "cannot open a former key for \(purpose.name)")
            }
        }
        return keys
    }
}
