// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

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

    package static var services: CompletionKind { .shellCommand("ls /etc/pam.d") }
}

enum HelpText {
    /// The lines of an answer of the parser, whose usage lines list the options of some commands, and not of others.
    ///
    /// The program's own help fits on a terminal of 24 lines.
    static func lines(of answer: String, program: String) -> [String] {
        var lines = answer.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.lowercased().hasPrefix("usage: ") else { return String(line) }
            let short = line.replacing(#/ (\[-[^\]]*\]|\[?<options>\]?)/#, with: "")
            return short == line ? String(line) : "\(short) [options]"
        }
        while lines.last == "" { lines.removeLast() }
        let usage = "USAGE: \(program) <subcommand>"
        guard lines.contains(usage), let title = lines.firstIndex(of: "SUBCOMMANDS:") else { return lines }
        return [lines[0], "\(usage) [options]", ""] + lines[(title + 1)...].prefix { !$0.isEmpty }
            + ["See '\(program) help <subcommand>' and 'man \(program)'."]
    }
}

extension ArgumentHelp {
    /// - Parameter name: what the value is, as the usage line shows it.
    package static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name)
    }

    /// The help of an option that few users need: it is in the manual and in `--help-hidden`.
    package static func rare(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name, visibility: .hidden)
    }
}
