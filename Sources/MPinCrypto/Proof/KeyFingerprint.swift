// SPDX-License-Identifier: Apache-2.0

/// The fingerprint of a server's key: SHA-256 of its 65 bytes, for people to compare and to type.
package struct KeyFingerprint: Sendable, Equatable {
    /// 32 bytes.
    package let bytes: [UInt8]

    private static let groupSize = 8
    private static let digits = Array("0123456789abcdef".utf8)

    /// - Parameter publicKey: 65 bytes.
    package init(of publicKey: [UInt8]) throws(CryptoError) { bytes = try Hash.sha256(publicKey) }

    /// Reads typed text: 64 hexadecimal digits in either case; hyphens, colons and spaces are skipped.
    ///
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 256 else { return nil }
        var values: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: " "): continue
            case UInt8(ascii: "A")...UInt8(ascii: "F"): values.append(byte - UInt8(ascii: "A") + 10)
            default:
                guard let value = Self.digits.firstIndex(of: byte) else { return nil }
                values.append(UInt8(value))
            }
        }
        guard values.count == 2 * Hash.byteCount else { return nil }
        bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// The digits in groups of eight, with hyphens, as programs print them.
    package var text: String {
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if index > 0, 2 * index % Self.groupSize == 0 { text.append(UInt8(ascii: "-")) }
            text.append(Self.digits[Int(byte >> 4)])
            text.append(Self.digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first two groups, to recognize a key. Too short to compare keys by it: an attacker can search for a key whose
    /// fingerprint begins so.
    package var short: String { KeyFingerprint.short(text) }

    /// - Parameter text: ``text`` of a fingerprint.
    package static func short(_ text: String) -> String { String(text.prefix(2 * groupSize + 1)) }
}
