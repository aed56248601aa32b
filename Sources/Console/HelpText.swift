// SPDX-License-Identifier: Apache-2.0

/// The help of a command, in the order in which a reader needs it: what it does, its own arguments and options, an
/// example, the options that all commands have, and the exit codes.
package enum HelpText {
    /// The title of the options that all commands of a program have.
    package static let common = "Common options"

    /// The paragraphs that come after a command's own options, in this order, by how they begin.
    private static let last = ["Example", common.uppercased() + ":", "Exit codes:", "  See '"]

    /// Puts the paragraphs of a help text of the parser in that order. A text without exit codes gets a line that says
    /// where they are. Other text, such as the version, is unchanged.
    package static func arranged(_ text: String, of program: String) -> String {
        guard text.hasPrefix("OVERVIEW: ") else { return text }
        var first: [String] = []
        var moved: [Int: [String]] = [:]
        for paragraph in paragraphs(text) {
            if let place = last.firstIndex(where: paragraph.hasPrefix) {
                moved[place, default: []].append(paragraph)
            } else {
                first.append(paragraph)
            }
        }
        if !text.contains("\nExit codes:"), let place = last.firstIndex(of: "Exit codes:") {
            moved[place] = ["Exit codes: 0 done, 64 usage. For all others, see: \(program) --help"]
        }
        return (first + last.indices.flatMap { moved[$0] ?? [] }).joined(separator: "\n\n")
    }

    private static func paragraphs(_ text: String) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(line) }
        }
        return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
    }
}
