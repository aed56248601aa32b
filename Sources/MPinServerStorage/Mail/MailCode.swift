// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

/// The secrets in a mail: digits that the user types where the registration was begun, and a token in a link.
package struct MailCode: Sendable {
    /// The number of wrong digits after which those of a mail are void. Its link stays valid.
    static let tries = 5
    /// The number of wrong digits that one source may send for one mailbox in a day. Other sources may continue,
    /// because otherwise any client could keep the owner of a mailbox from using a code.
    static let triesPerSource = 10
    /// The number of wrong digits for one mailbox in a day, for all mails and from all sources.
    static let triesPerMailbox = 15

    private static let length = 6

    package let digits: String
    /// 128 random bits in hexadecimal.
    package let token: String

    package init() throws(CryptoError) {
        digits = String(decoding: try Random.digits(Self.length), as: UTF8.self)
        token = HexText(bytes: try Random.bytes(16)).string
    }

    /// The digits of a typed code without spaces and dashes; nil if it is not a code of a mail.
    package static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let digits = typed.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        guard digits.count == length, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

package enum DigitsVerdict: Sendable {
    case right
    case wrong(triesLeft: Int)
    /// There were too many wrong digits for this mail, or there is no mail.
    case void
    /// There were too many wrong digits today, from this source or for this mailbox.
    case spent
}
