// SPDX-License-Identifier: Apache-2.0

/// A plain mail address, which can be used in an envelope and a header without quoting.
///
/// Narrower than RFC 5321: only ASCII, no quoted local parts, no addresses in brackets, and none of the characters that
/// mail servers once used for relaying.
package struct MailAddress: Sendable {
    package let text: String
    package let domain: String

    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, Self.isLocalPart(parts[0]), Self.isDomain(parts[1]) else {
            return nil
        }
        self.text = text
        domain = String(decoding: parts[1], as: UTF8.self).lowercased()
    }

    /// The part that addresses of one mailbox have in common: neither case nor a +suffix matters.
    package var mailbox: String {
        let local = text.lowercased().prefix { $0 != "@" }.prefix { $0 != "+" }
        return "\(local)@\(domain)"
    }

    private static func isLocalPart(_ part: Substring.UTF8View) -> Bool {
        guard 1...64 ~= part.count else { return false }
        return part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "_-+=&'~$#*?^{|}".utf8.contains($0) }
        }
    }

    private static func isDomain(_ part: Substring.UTF8View) -> Bool {
        let labels = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.contains(where: { !isDigit($0) }) else { return false }
        let hyphen = UInt8(ascii: "-")
        return labels.allSatisfy { label in
            1...63 ~= label.count && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
