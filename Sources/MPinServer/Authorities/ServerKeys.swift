internal import MPinCrypto

/// Makes keys, with the faults of this library in place of those of the cryptography.
enum ServerKeys {
    static func signing(_ purpose: KeyPurpose, _ root: SealKey) throws(ServerFault) -> SigningKey {
        do throws(CryptoError) {
            return try SigningKey(purpose, from: root)
        } catch {
            throw ServerFault(.internalFault, "no key for \(purpose.name): \(error)")
        }
    }
}
