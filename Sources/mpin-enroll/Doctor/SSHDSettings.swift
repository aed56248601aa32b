// SPDX-License-Identifier: Apache-2.0
import SystemFiles

/// sshd's configuration outside of `Match` blocks: the first value of each keyword.
struct SSHDSettings {
    struct Setting {
        let value: String
        let file: String
        /// Counted from 1.
        let line: Int
    }

    static let path = "/etc/ssh/sshd_config"

    private var settings: [String: Setting] = [:]

    /// - Returns: `nil` if the file is missing or unreadable.
    init?() {
        guard SystemFile.load(SSHDSettings.path) != nil else { return nil }
        read(SSHDSettings.path, depth: 0)
    }

    /// - Parameter keywords: the current and former names of a setting, in lower case.
    func value(_ keywords: String...) -> Setting? { keywords.compactMap { settings[$0] }.first }

    private mutating func read(_ path: String, depth: Int) {
        guard depth < 16, let content = SystemFile.load(path) else { return }
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let words = line.split { $0.isWhitespace || $0 == "=" }.map { $0.filter { $0 != "\"" } }
            guard let keyword = words.first?.lowercased(), !keyword.hasPrefix("#"), words.count > 1 else { continue }
            // A `Match` block ends with the file and applies to some logins only.
            if keyword == "match" { return }
            guard keyword == "include" else {
                if settings[keyword] == nil {
                    settings[keyword] = Setting(value: words[1].lowercased(), file: path, line: number + 1)
                }
                continue
            }
            for pattern in words.dropFirst() {
                let files = MachineFile.matching(pattern.hasPrefix("/") ? pattern : "/etc/ssh/" + pattern)
                files.forEach { read($0, depth: depth + 1) }
            }
        }
    }
}
