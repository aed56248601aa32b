internal import MPinCrypto

/// A code with which a user who has no device that works registers again without an administrator: 12 symbols of five
/// random bits each, written XXXX-XXXX-XXXX. The symbols are those of an ``InvitationCode``.
enum BackupCode {
    static let length = 12
    /// How many a user may have at once.
    static let counts = 1...20

    static func generate() throws(CryptoError) -> String { try InvitationCode.generate(length) }

    /// The twelve symbols of a typed code. Nil if it is none.
    static func normalized(_ typed: String) -> String? { InvitationCode.normalized(typed, length: length) }

    /// The stored form; nil for a malformed code. The user is part of it, so that equal codes of two users differ.
    static func hash(_ code: String, user: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        guard let symbols = normalized(code) else { return nil }
        return try key.sign([user, symbols])
    }
}
