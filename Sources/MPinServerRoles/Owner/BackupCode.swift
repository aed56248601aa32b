// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// A code with which a user without a working device registers again without an administrator: 12 symbols of five
/// random bits each, written XXXX-XXXX-XXXX. The symbols are those of an ``InvitationCode``.
enum BackupCode {
    static let length = 12
    /// How many codes a user may have at the same time.
    static let counts = 1...20

    static func generate() throws(CryptoError) -> String { try InvitationCode.generate(length) }

    /// The twelve symbols of a typed code; nil if it is not a code.
    static func normalized(_ typed: String) -> String? { InvitationCode.normalized(typed, length: length) }

    /// The stored form; nil if the code is malformed. It includes the user, so that equal codes of two users differ.
    static func hash(_ code: String, user: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        guard let symbols = normalized(code) else { return nil }
        return try key.sign([user, symbols])
    }
}
