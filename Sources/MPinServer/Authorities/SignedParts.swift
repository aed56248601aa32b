internal import MPinCrypto
internal import MPinWire

/// The parts that the relying party signs and an authority verifies.
enum SignedParts {
    static func clientSecret(appID: String, hash: [UInt8], expires: String) -> [String] {
        ["clientSecret", appID, HexText(bytes: hash).string, expires]
    }

    /// The day is signed as well, so that a signature is worth nothing on another day.
    static func timePermit(appID: String, hash: [UInt8], day: PermitDay) -> [String] {
        ["timePermit", appID, HexText(bytes: hash).string, String(day.number)]
    }
}
