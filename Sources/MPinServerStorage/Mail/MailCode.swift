internal import MPinCrypto
internal import MPinWire

/// What a mail holds: digits to be typed where the registration was begun, and a token in a link.
struct MailCode: Sendable {
    /// Wrong digits after which those of a mail are void; its link stays good.
    static let tries = 5
    /// Wrong digits of one source for one mailbox in a day. They end what that source may type, not what others may:
    /// otherwise any client could keep the owner of a mailbox from using a code.
    static let triesPerSource = 10
    /// Wrong digits for one mailbox in a day, whatever mails they are tried against and wherever they come from.
    static let triesPerMailbox = 15

    private static let length = 6

    let digits: String
    /// 128 random bits in hexadecimal.
    let token: String

    init() throws(CryptoError) {
        digits = String(decoding: try Random.digits(Self.length), as: UTF8.self)
        token = HexText(bytes: try Random.bytes(16)).string
    }

    /// The digits of a typed code: spaces and dashes do not matter. Nil if it is no code of a mail.
    static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let digits = typed.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard digits.count == length, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The stored form of the digits of one registration.
    static func hash(digits: String, registration: [UInt8], key: SigningKey) throws(CryptoError) -> [UInt8] {
        try key.sign(["digits", HexText(bytes: registration).string, digits])
    }

    /// The stored form of a link's token; nil for a malformed one.
    static func hash(token: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        guard let bytes = Hex.decode(Array(token.utf8).span), bytes.count == 16 else { return nil }
        return try key.sign(["link", HexText(bytes: bytes).string])
    }
}
