package import MPinWire

/// A rule that makes an M-Pin identity of the name of an account.
package struct UserMap: Sendable {
    /// The rule as it was written.
    let rule: ByteText

    /// The longest identity a rule may make, in bytes.
    static let longest = 256

    /// Reads a rule: `%u` exactly once, `%%` for a percent sign, no other percent sign and nothing that cannot be seen.
    ///
    /// One without `%u` would give all accounts the same identity.
    package init?(_ rule: ByteText) {
        self.rule = rule
        guard UserMap.isSeen(rule), identity(of: ByteText()) != nil else { return nil }
    }

    /// The identity of an account; nil when its name is empty, has characters that cannot be seen, or is too long.
    package func identity(for account: ByteText) -> ByteText? {
        guard !account.isEmpty, UserMap.isSeen(account), let identity = identity(of: account) else { return nil }
        return identity.count <= UserMap.longest ? identity : nil
    }

    /// Puts a name into the rule; nil when the rule is none.
    private func identity(of account: ByteText) -> ByteText? {
        var identity = ByteText()
        var accounts = 0
        var isMarked = false
        for byte in rule.bytes {
            switch (isMarked, byte) {
            case (false, UInt8(ascii: "%")):
                isMarked = true
                continue
            case (false, _), (true, UInt8(ascii: "%")):
                identity.append(byte)
            case (true, UInt8(ascii: "u")):
                identity.append(contentsOf: account)
                accounts += 1
            case (true, _):
                return nil
            }
            isMarked = false
        }
        return accounts == 1 && !isMarked ? identity : nil
    }

    private static func isSeen(_ text: ByteText) -> Bool {
        for byte in text.bytes where byte <= 0x20 || byte == 0x7F { return false }
        return true
    }
}
