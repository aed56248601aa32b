package import MPinCrypto
internal import MPinWire

/// What a mail holds: digits to be typed where the registration was begun, and a token in a link.
package struct MailCode: Sendable {
    /// Wrong digits after which those of a mail are void; its link stays good.
    package static let tries = 5
    /// Wrong digits of one source for one mailbox in a day. They end what that source may type, not what others may:
    /// otherwise any client could keep the owner of a mailbox from using a code.
    static let triesPerSource = 10
    /// Wrong digits for one mailbox in a day, whatever mails they are tried against and wherever they come from.
    static let triesPerMailbox = 15

    private static let length = 6

    package let digits: String
    /// 128 random bits in hexadecimal.
    package let token: String

    package init() throws(CryptoError) {
        digits = String(decoding: try Random.digits(Self.length), as: UTF8.self)
        token = HexText(bytes: try Random.bytes(16)).string
    }

    /// The digits of a typed code: spaces and dashes do not matter. Nil if it is no code of a mail.
    package static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let digits = typed.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard digits.count == length, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
