// SPDX-License-Identifier: Apache-2.0

/// The text of `mpin.conf`, which the configuration of ssh includes: for which hosts ssh gets a certificate first.
struct SSHClientFile {
    static let name = "mpin.conf"
    static let include = "Include mpin.conf"
    private static let mark = "# Written by mpin-enroll ssh setup."
    private static let host = "Host "

    var patterns: [SSHPattern]

    init(_ patterns: [SSHPattern] = []) { self.patterns = patterns }

    /// Reads the patterns in the file that a former setup wrote; nil for a file of the user's own.
    init?(reading content: [UInt8]) {
        let lines = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.first == Self.mark[...] else { return nil }
        let words = lines.first { $0.hasPrefix(Self.host) }?.split(separator: " ").dropFirst() ?? []
        patterns = words.compactMap { try? SSHPattern(String($0)) }
    }

    /// Adds the patterns that are not there yet.
    func adding(_ others: [SSHPattern]) -> SSHClientFile {
        SSHClientFile(others.reduce(into: patterns) { all, one in if !all.contains(one) { all.append(one) } })
    }

    /// The lines of the file. A host would ask for its password after a wrong PIN, so ssh uses keys only; and other keys
    /// would use up the tries that a host allows. Without `CertificateFile`, ssh would try the key alone first. In an
    /// agent, which a host may use while it is forwarded, the key would outlive the certificate's file.
    ///
    /// The key may be in either place: not every login has a directory of the session. After a refusal, ssh reports each
    /// `IdentityFile` that does not exist, so the second one has a condition.
    var lines: [String] {
        let match = "Match originalhost \(patterns.map(\.text).joined(separator: ",")) exec "
        return [
            Self.mark, Self.host + patterns.map(\.text).joined(separator: " "),
            "    CertificateFile /run/user/%i/mpin/id_mpin-cert.pub", "    IdentityFile /run/user/%i/mpin/id_mpin",
            "    IdentitiesOnly yes", "    AddKeysToAgent no", "    PreferredAuthentications publickey",
            match + "\"mpin-enroll ssh --if-needed\"", match + "\"test -f ~/.ssh/id_mpin\"",
            "    CertificateFile ~/.ssh/id_mpin-cert.pub", "    IdentityFile ~/.ssh/id_mpin",
        ]
    }

    var content: [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}

/// The text of `~/.ssh/config`, as far as it includes ``SSHClientFile``.
enum SSHUserFile {
    private static let lineFeed = UInt8(ascii: "\n")

    /// The text with the line that includes our file. It is the first one: ssh uses the first value for each setting,
    /// and a line below `Host` or `Match` would apply to these hosts alone.
    static func including(_ content: [UInt8]) -> [UInt8] {
        for line in content.split(separator: lineFeed) {
            if isOurs(line) { return content }
            let word = String(decoding: line, as: UTF8.self).lowercased().split { !$0.isLetter }.first
            if word == "host" || word == "match" { break }
        }
        let ending = content.firstIndex(of: lineFeed).map { $0 > 0 && content[$0 - 1] == UInt8(ascii: "\r") } ?? false
        return Array((SSHClientFile.include + (ending ? "\r\n" : "\n")).utf8) + content
    }

    /// The text without that line.
    static func excluding(_ content: [UInt8]) -> [UInt8] {
        var lines = content.split(separator: lineFeed, omittingEmptySubsequences: false)
        guard let found = lines.firstIndex(where: isOurs) else { return content }
        lines.remove(at: found)
        return Array(lines.joined(separator: [lineFeed]))
    }

    private static func isOurs(_ line: some Collection<UInt8>) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        return text == SSHClientFile.include || text == SSHClientFile.include + "\r"
    }
}
