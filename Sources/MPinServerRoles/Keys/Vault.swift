// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinServerStorage

/// A server's storage, and the key for the secrets that are sealed in it.
package struct Vault: Sendable {
    package let store: ServerStorage
    package let root: SealKey

    package init(_ store: ServerStorage, _ root: SealKey) { (self.store, self.root) = (store, root) }

    /// Opens the first master share in the database, which checks that the key belongs to it.
    package func anyMasterShare() throws(ServerError) -> TrustAuthority {
        try masterShare(try store.role().shares.first ?? 1)
    }

    /// Opens a master share.
    ///
    /// - Throws: ``ServerError`` if there is none, or if another key has sealed it.
    package func masterShare(_ number: Int) throws(ServerError) -> TrustAuthority {
        guard let sealed = try store.sealedShare(number) else {
            throw ServerError(.storage, "the database lacks the master share \(number)")
        }
        do throws(CryptoError) { return try TrustAuthority(master: root.open(sealed, authority: number)) } catch {
            throw unopened("the master share \(number)", error)
        }
    }

    /// The error for a secret that cannot be opened. Without libcrypto or memory, that says nothing about the key.
    func unopened(_ secret: String, _ error: CryptoError) -> ServerError {
        switch error {
        case .libraryUnavailable, .memoryUnavailable, .randomUnavailable:
            ServerError(.internalFault, "cannot open \(secret): \(error)")
        default: Self.foreign("the key does not open \(secret)")
        }
    }

    static func foreign(_ message: String) -> ServerError {
        ServerError(
            .configuration, message,
            hint: "It is another server's key, or one from before or after a rotation.\n"
                + "Put the right key back, or restore a backup with its own key.", next: "restore --key KEYFILE FILE")
    }
}
