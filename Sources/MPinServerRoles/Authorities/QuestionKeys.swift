// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

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
