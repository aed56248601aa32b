// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

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

    package func sealed(by root: SealKey) throws(CryptoError) -> [UInt8] { try root.seal(key, as: .relyingPartyKey) }
}

extension DevicePublicKey: QuestionVerifier {
    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool {
        let digest = try Hash.sha256(SignedParts.bytes(parts))
        return accepts(signature, over: digest)
    }
}

/// The keys that sign the relying party's questions to its authorities, by the kind of question.
struct QuestionKeys: Sendable {
    let clientSecret: any QuestionSigner
    let timePermit: any QuestionSigner

    /// HMAC keys if both authorities are here, which know the keys too; the relying party's own key if one is on
    /// another host.
    init(_ root: SealKey, _ elsewhere: SecondAuthority?) throws(ServerError) {
        if let elsewhere {
            (clientSecret, timePermit) = (elsewhere.key, elsewhere.key)
        } else {
            clientSecret = try ServerKeys.signing(.clientSecret, root)
            timePermit = try ServerKeys.signing(.timePermit, root)
        }
    }
}

/// Verifies that the relying party has asked a question of an authority.
protocol QuestionVerifier: Sendable {
    /// Whether a signature is valid for these parts. A malformed one is not.
    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool
}

/// Signs questions to an authority, for the relying party itself or for a client that it has authorized.
protocol QuestionSigner: QuestionVerifier { func sign(_ parts: [String]) throws(CryptoError) -> [UInt8] }

extension SigningKey: QuestionSigner {}

/// The parts that the relying party signs and an authority verifies.
enum SignedParts {
    /// The bytes that are signed for these parts.
    ///
    /// A line feed separates them, which no part may contain, so that different lists of parts have different bytes.
    static func bytes(_ parts: [String]) throws(CryptoError) -> [UInt8] {
        guard parts.allSatisfy({ !$0.utf8.contains(0x0A) }) else { throw .invalidMessage }
        return Array(parts.joined(separator: "\n").utf8)
    }

    static func clientSecret(appID: String, hash: [UInt8], expires: String) -> [String] {
        ["clientSecret", appID, HexText(bytes: hash).string, expires]
    }

    static func serverSecret(appID: String, expires: String) -> [String] { ["serverSecret", appID, expires] }

    /// The day is signed as well, so that a signature is not valid on another day.
    static func timePermit(appID: String, hash: [UInt8], day: PermitDay) -> [String] {
        ["timePermit", appID, HexText(bytes: hash).string, String(day.number)]
    }
}
