// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

extension MailCode {
    /// The stored form of the digits of one registration.
    static func hash(digits: String, registration: [UInt8], key: SigningKey) throws(CryptoError) -> [UInt8] {
        try key.sign(["digits", HexText(bytes: registration).string, digits])
    }

    /// The stored form of a link's token; nil if it is malformed.
    static func hash(token: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        guard let bytes = Hex.decode(Array(token.utf8).span), bytes.count == 16 else { return nil }
        return try key.sign(["link", HexText(bytes: bytes).string])
    }
}
