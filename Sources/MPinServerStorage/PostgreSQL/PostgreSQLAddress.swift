// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Where a database is: `postgresql://[USER@]HOST[:PORT][,HOST[:PORT]]/NAME`. A host is a name, an address, or the
/// directory of a socket with `%2F` for each slash.
package struct PostgreSQLAddress: Sendable, Equatable {
    package let text: String
    let user: String?
    let hosts: [String]
    let ports: [String]
    let name: String

    /// Nil if the text has another form, or contains a password.
    package init?(_ text: String) {
        guard text.hasPrefix("postgresql://") else { return nil }
        let rest = text.dropFirst("postgresql://".count)
        guard let slash = rest.firstIndex(of: "/"), let name = Self.word(rest[rest.index(after: slash)...]) else {
            return nil
        }
        var authority = rest[..<slash]
        var user: String?
        if let at = authority.firstIndex(of: "@") {
            user = Self.word(authority[..<at])
            guard user != nil else { return nil }
            authority = authority[authority.index(after: at)...]
        }
        var (hosts, ports) = ([String](), [String]())
        for part in authority.split(separator: ",", omittingEmptySubsequences: false) {
            var (host, port) = (part, part[part.endIndex...])
            // An IPv6 address is in brackets.
            if let colon = part.lastIndex(of: ":"), !part.hasSuffix("]") {
                (host, port) = (part[..<colon], part[part.index(after: colon)...])
                guard let number = UInt16(port), number > 0 else { return nil }
            }
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            if isBracketed { host = host.dropFirst().dropLast() }
            guard let host = Self.word(host, besides: isBracketed ? ":" : "") else { return nil }
            hosts.append(host)
            ports.append(String(port))
        }
        (self.text, self.user, self.hosts, self.ports, self.name) = (text, user, hosts, ports, name)
    }

    /// A part without its escapes; nil if it is empty, or has characters that separate parts.
    private static func word(_ part: Substring, besides allowed: String = "") -> String? {
        let isGood =
            part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && !part.contains { ":/?#@,".contains($0) && !allowed.contains($0) }
        guard !part.isEmpty, isGood, let word = String(part).removingPercentEncoding, !word.contains(","),
            word.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return word
    }
}
