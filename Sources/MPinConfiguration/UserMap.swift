// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// A rule that maps the name of an account to an M-Pin identity.
package struct UserMap: Sendable {
    let rule: ByteText

    /// The length of the longest identity, in bytes.
    static let longest = 256

    /// Reads a rule: `%u` exactly once, `%%` for a percent sign, no other percent sign and no invisible character.
    ///
    /// A rule without `%u` would give all accounts the same identity.
    package init?(_ rule: ByteText) {
        self.rule = rule
        guard UserMap.isSeen(rule), identity(of: ByteText()) != nil else { return nil }
    }

    /// The identity of an account; nil if its name is empty, has invisible characters, or is too long.
    package func identity(for account: ByteText) -> ByteText? {
        guard !account.isEmpty, UserMap.isSeen(account), let identity = identity(of: account) else { return nil }
        return identity.count <= UserMap.longest ? identity : nil
    }

    /// Inserts a name into the rule; nil if the rule is invalid.
    private func identity(of account: ByteText) -> ByteText? {
        var identity = ByteText()
        var accounts = 0
        var isMarked = false
        for byte in rule.bytes {
            switch (isMarked, byte) {
            case (false, UInt8(ascii: "%")):
                isMarked = true
                continue
            case (false, _), (true, UInt8(ascii: "%")): identity.append(byte)
            case (true, UInt8(ascii: "u")):
                identity.append(contentsOf: account)
                accounts += 1
            case (true, _): return nil
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

extension UserMap {
    /// Reads a rule; see ``ConfigurationRow/Kind/template``.
    ///
    /// - Returns: `nil` unless it has `%u` exactly once, and no other percent sign except `%%`.
    package init?(_ template: String) { self.init(ByteText(template)) }

    /// The identity of an account; nil if its name is empty, has invisible characters, or is too long.
    package func identity(for account: String) -> String? { identity(for: ByteText(account))?.string }
}
