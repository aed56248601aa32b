/// A rule that makes an M-Pin identity of the name of an account.
public struct UserMap: Sendable {
    /// The rule as it was written.
    public let template: String

    private enum Piece: Sendable {
        case text([UInt8])
        case account
    }

    private let pieces: [Piece]

    /// The longest identity a rule may make, in bytes.
    static let longest = 256

    /// Reads a rule: `%u` exactly once, `%%` for a percent sign, no other percent sign and nothing that cannot be seen.
    ///
    /// One without `%u` would give all accounts the same identity.
    public init?(_ template: String) {
        var pieces: [Piece] = []
        var text: [UInt8] = []
        var accounts = 0
        var bytes = template.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte > 0x20, byte != 0x7F else { return nil }
            guard byte == UInt8(ascii: "%") else {
                text.append(byte)
                continue
            }
            switch bytes.next() {
            case UInt8(ascii: "%"): text.append(byte)
            case UInt8(ascii: "u"):
                pieces.append(.text(text))
                pieces.append(.account)
                text = []
                accounts += 1
            default: return nil
            }
        }
        pieces.append(.text(text))
        guard accounts == 1 else { return nil }
        self.pieces = pieces
        self.template = template
    }

    /// The identity of an account; nil when its name is empty, has characters that cannot be seen, or is too long.
    public func identity(for account: String) -> String? {
        guard !account.utf8.isEmpty, account.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): bytes.append(contentsOf: text)
            case .account: bytes.append(contentsOf: account.utf8)
            }
        }
        return bytes.count <= UserMap.longest ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
