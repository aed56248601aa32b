// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// Verifies that the relying party has asked a question of an authority.
protocol QuestionVerifier: Sendable {
    /// Whether a signature is valid for these parts. A malformed one is not.
    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool
}

/// Signs questions to an authority, for the relying party itself or for a client that it has authorized.
protocol QuestionSigner: QuestionVerifier {
    func sign(_ parts: [String]) throws(CryptoError) -> [UInt8]
}

extension SigningKey: QuestionSigner {}
