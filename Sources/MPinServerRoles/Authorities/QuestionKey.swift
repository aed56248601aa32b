internal import MPinCrypto

/// Tells whether the relying party has asked a question of an authority.
protocol QuestionVerifier: Sendable {
    /// Whether a signature is that of some parts. Anything malformed is not.
    func verify(_ signature: [UInt8], _ parts: [String]) throws(CryptoError) -> Bool
}

/// Signs the questions that the relying party, or a client with its leave, asks an authority.
protocol QuestionSigner: QuestionVerifier {
    func sign(_ parts: [String]) throws(CryptoError) -> [UInt8]
}

extension SigningKey: QuestionSigner {}
