// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The parts that the relying party signs and an authority verifies.
enum SignedParts {
    /// The bytes that are signed for these parts.
    ///
    /// A line feed separates them, which no part may contain, so that different lists of parts have different bytes.
    static func bytes(_ parts: [String]) throws(CryptoError) -> [UInt8] {
        guard parts.allSatisfy({ !$0.utf8.contains(0x0A) }) else { throw .invalidMessage }
        return Array(parts.joined(separator: "\n").utf8)
    }

    static func clientSecret(appID: String, hash: [UInt8], expires: String) -> [String] {
        ["clientSecret", appID, HexText(bytes: hash).string, expires]
    }

    static func serverSecret(appID: String, expires: String) -> [String] { ["serverSecret", appID, expires] }

    /// The day is signed as well, so that a signature is not valid on another day.
    static func timePermit(appID: String, hash: [UInt8], day: PermitDay) -> [String] {
        ["timePermit", appID, HexText(bytes: hash).string, String(day.number)]
    }
}
