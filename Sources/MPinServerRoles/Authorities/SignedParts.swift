internal import MPinCrypto
internal import MPinWire

/// The parts that the relying party signs and an authority verifies.
enum SignedParts {
    /// What is signed of some parts.
    ///
    /// A line feed stands between them, which no part may hold, so that no two lists of parts read the same.
    static func bytes(_ parts: [String]) throws(CryptoError) -> [UInt8] {
        guard parts.allSatisfy({ !$0.utf8.contains(0x0A) }) else { throw .invalidMessage }
        return Array(parts.joined(separator: "\n").utf8)
    }

    static func clientSecret(appID: String, hash: [UInt8], expires: String) -> [String] {
        ["clientSecret", appID, HexText(bytes: hash).string, expires]
    }

    static func serverSecret(appID: String, expires: String) -> [String] { ["serverSecret", appID, expires] }

    /// The day is signed as well, so that a signature is worth nothing on another day.
    static func timePermit(appID: String, hash: [UInt8], day: PermitDay) -> [String] {
        ["timePermit", appID, HexText(bytes: hash).string, String(day.number)]
    }
}
