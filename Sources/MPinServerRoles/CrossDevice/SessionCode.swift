// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The name of a waiting session: digits that people type, or a code in a link that devices scan.
enum SessionCode: Sendable {
    case number
    case link

    /// A new name, chosen uniformly. The caller checks whether it is taken.
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
