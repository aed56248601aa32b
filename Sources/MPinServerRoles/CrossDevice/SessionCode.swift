internal import MPinCrypto
internal import MPinWire

/// How a waiting session is named: by digits that people type, or by a code in a link that devices scan.
enum SessionCode: Sendable {
    case number
    case link

    /// A new name. Each possible one is equally likely; whether it is taken is for the caller to see.
    func generate() throws(CryptoError) -> String {
        switch self {
        case .link: return HexText(bytes: try Random.bytes(OneTimeToken.size)).string
        case .number:
            while true {
                let digits = try Random.digits(6)
                if AccessNumber.isIssuable(digits), let check = AccessNumber.checkDigit(digits) {
                    return String(decoding: digits + [check], as: UTF8.self)
                }
            }
        }
    }
}
