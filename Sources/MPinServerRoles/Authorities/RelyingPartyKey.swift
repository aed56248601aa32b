// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinServerStorage

/// The key of a relying party whose second authority is on another host, which has only the public half.
///
/// So a copy of that host cannot ask anything in the relying party's name. One key signs for every purpose, which the
/// first part names. A class, because the private half cannot be copied. It never changes.
package final class RelyingPartyKey: QuestionSigner, @unchecked Sendable {
    private let key: DeviceKey
    package let publicKey: DevicePublicKey

    package init(_ key: consuming DeviceKey) {
        publicKey = key.publicKey
        self.key = key
    }

    /// ECDSA over the SHA-256 of the parts: r and s, 64 bytes.
    func sign(_ parts: [String]) throws(CryptoError) -> [UInt8] {
        let digest = try Hash.sha256(SignedParts.bytes(parts))
        return try key.sign(digest)
    }

    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool {
        try publicKey.verify(signature, parts)
    }

    /// The private half, sealed.
    package func sealed(by root: SealKey) throws(CryptoError) -> [UInt8] { try root.seal(key, as: .relyingPartyKey) }
}

extension DevicePublicKey: QuestionVerifier {
    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool {
        let digest = try Hash.sha256(SignedParts.bytes(parts))
        return accepts(signature, over: digest)
    }
}
