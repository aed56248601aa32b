// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// The help of a command, in the order in which a reader needs it: what it does, its own arguments and options, an
/// example, and the options that all commands have.
package enum HelpText {
    /// The title of the options that all commands of a program have.
    package static let common = "Common options"

    /// The paragraphs that come after a command's own options, in this order, by how they begin.
    private static let last = ["Example", common.uppercased() + ":", "The manual", "  See '"]

    /// Puts the paragraphs of a help text of the parser in that order. Other text, such as the version, is unchanged.
    package static func arranged(_ text: String) -> String {
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

extension CompletionKind {
    /// The accounts of this machine, which user IDs often are.
    ///
    /// The command has no colon, which zsh would interpret, and quotes what fish would expand.
    package static var accounts: CompletionKind { .shellCommand(#"getent passwd | grep -o "^[A-Za-z0-9_.-]*""#) }

    /// The users of this machine's server if the caller may read its database, otherwise the accounts.
    ///
    /// Bash expands the words of a completion, and users choose their IDs. So only IDs without a meaning for a shell
    /// are offered.
    package static var serverUsers: CompletionKind {
        .shellCommand(
            #"mpin-server user list 2>/dev/null | cut -f 2 | grep -m 500 -x "[A-Za-z0-9_][A-Za-z0-9@_.+-]*" "#
                + #"|| getent passwd | grep -o "^[A-Za-z0-9_.-]*""#)
    }

    /// The PAM services of this machine.
    package static var services: CompletionKind { .shellCommand("ls /etc/pam.d") }
}

extension ArgumentHelp {
    /// The help of an option with a value.
    ///
    /// - Parameter name: what the value is, as the usage line shows it.
    package static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name)
    }
}
