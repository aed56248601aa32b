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
    /// SHA-256 of the public half: the permanent ID of the server, also in what devices sign.
    package let hash: [UInt8]
    package let fingerprint: String

    package init(_ key: consuming DeviceKey) throws(CryptoError) {
        let fingerprint = try KeyFingerprint(of: key.publicKey.bytes)
        (hash, self.fingerprint) = (fingerprint.bytes, fingerprint.text)
        self.key = key
    }

    package var isLocked: Bool { key.isLocked }

    /// ECDSA over a digest of 32 bytes: r and s, 64 bytes.
    package func sign(_ digest: [UInt8]) throws(CryptoError) -> [UInt8] { try key.sign(digest) }

    /// Makes a key pair for TLS, and a certificate that this key signs.
    package func issueCertificate(for host: CertificateHost, valid: Range<Int64>) throws(CryptoError) -> TLSCertificate
    {
        try key.issueCertificate(for: host.subject, valid: valid)
    }

    /// This key as a CA for one host, for programs that are not clients of this server, such as browsers: DER. Nil if the
    /// host is an address.
    package func authorityCertificate(
        for host: CertificateHost, valid: Range<Int64>
    ) throws(CryptoError) -> [UInt8]? {
        try host.constraint.map { limit throws(CryptoError) in
            try key.authorityCertificate(limitedTo: limit, valid: valid)
        }
    }

    package func sealed(by root: SealKey) throws(CryptoError) -> [UInt8] { try root.seal(key, as: .serverKey) }
}

extension Vault {
    /// The server's key, which an authority does not have.
    ///
    /// - Throws: ``ServerError`` if it cannot be opened, or if its halves do not belong together.
    package func serverKey() throws(ServerError) -> ServerSigningKey {
        guard let publicKey = try store.serverPublicKey(), let sealed = try store.sealedSecret(.serverKey) else {
            throw ServerError(.storage, "the database lacks the server key, or half of it")
        }
        do throws(CryptoError) {
            let half = try root.open(sealed, as: .serverKey)
            let key = try ServerSigningKey(DeviceKey(scalar: half, publicKey: DevicePublicKey(publicKey)))
            let isWhole = DevicePublicKey(kept: publicKey).accepts(try key.sign(key.hash), over: key.hash)
            guard isWhole else { throw .invalidSeal }
            return key
        } catch { throw unopened("the server key", error) }
    }
}
