package import MPinCrypto
package import MPinServerStorage

/// A server's database, and the key for what is sealed in it.
package struct Vault: Sendable {
    package let store: any ServerStorage
    package let root: SealKey
    /// The hint where the key does not open what is sealed.
    let foreignKey: @Sendable () -> String

    package init(store: any ServerStorage, root: SealKey, foreignKey: @escaping @Sendable () -> String) {
        (self.store, self.root, self.foreignKey) = (store, root, foreignKey)
    }

    /// Opens the first master share that the database has: whether the key is the one for it.
    package func anyMasterShare() throws(ServerError) -> TrustAuthority {
        try masterShare(try store.role().shares.first ?? 1)
    }

    /// Opens a master share.
    ///
    /// - Throws: ``ServerError`` where there is none, or where it was sealed by another key.
    package func masterShare(_ number: Int) throws(ServerError) -> TrustAuthority {
        guard let sealed = try store.sealedShare(number) else {
            throw ServerError(.storage, "the database lacks the master share \(number)")
        }
        do throws(CryptoError) {
            return try TrustAuthority(master: root.open(sealed, authority: number))
        } catch {
            throw ServerError(
                .configuration, "cannot open the master share \(number)", hint: foreignKey())
        }
    }
}
