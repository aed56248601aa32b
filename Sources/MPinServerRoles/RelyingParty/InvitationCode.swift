// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto

/// A code that an administrator gives to a person: 14 symbols of five random bits each, written XXXX-XXXX-XXXX-XX.
///
/// The symbols are Crockford's: no I, L, O or U. In input, I and L count as 1, and O as 0.
package enum InvitationCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 14

    /// A new code with 70 random bits.
    package static func generate() throws(CryptoError) -> String { try generate(length) }

    /// That many random symbols, in groups of four.
    package static func generate(_ length: Int) throws(CryptoError) -> String {
        var text: [UInt8] = []
        for (index, byte) in try Random.bytes(length).enumerated() {
            if index > 0, index % 4 == 0 { text.append(UInt8(ascii: "-")) }
            text.append(alphabet[Int(byte & 31)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The fourteen symbols of a typed code without case, dashes and spaces; nil if it is not a code.
    static func normalized(_ typed: String) -> String? { normalized(typed, length: length) }

    /// That many symbols in the form in which they are compared; nil for anything else.
    static func normalized(_ typed: String, length: Int) -> String? {
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
        return symbols.count == length ? String(decoding: symbols, as: UTF8.self) : nil
    }
}
