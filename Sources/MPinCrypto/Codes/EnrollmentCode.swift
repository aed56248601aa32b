// SPDX-License-Identifier: Apache-2.0

/// A code that admits one registration: an invitation, or a user's own backup code.
///
/// It is 16 symbols of five random bits each, written XXXX-XXXX-XXXX-XXXX. The symbols are Crockford's: no I, L, O or
/// U. In input, I and L count as 1, and O as 0. A client never sends the code itself, only what ``CodeSecret`` derives
/// from it.
package enum EnrollmentCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The number of symbols.
    package static let length = 16

    /// Makes a code with 80 random bits.
    ///
    /// - Throws: ``CryptoError/randomUnavailable``.
    package static func generate() throws(CryptoError) -> String {
        var text: [UInt8] = []
        for (index, byte) in try Random.bytes(length).enumerated() {
            if index > 0, index % 4 == 0 { text.append(UInt8(ascii: "-")) }
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text may be a mistyped code, or contain one: it has 12 or more letters and digits, but is none. It must
    /// not be sent, because the code could be guessed from it. Codes of other servers are shorter.
    package static func isMistyped(_ typed: String) -> Bool {
        guard symbols(typed) == nil else { return false }
        let count = typed.utf8.count { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF
        }
        return count >= length - 4
    }

    /// The symbols of a typed code in upper case, without hyphens and spaces; nil if the text is not such a code.
    package static func symbols(_ typed: String) -> [UInt8]? {
        guard typed.utf8.count <= 64 else { return nil }
        var symbols: [UInt8] = []
        for byte in typed.utf8 {
            let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte
            switch upper {
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            case UInt8(ascii: "I"), UInt8(ascii: "L"): symbols.append(UInt8(ascii: "1"))
            case UInt8(ascii: "O"): symbols.append(UInt8(ascii: "0"))
            default:
                guard alphabet.contains(upper) else { return nil }
                symbols.append(upper)
            }
        }
        return symbols.count == length ? symbols : nil
    }
}
