// SPDX-License-Identifier: Apache-2.0
import ShellSyntax

/// The hint of a report or failure: an imperative phrase and, if there is one, the command to run. Each command is on a
/// line of its own.
package struct Advice {
    /// The registration that a command works on. The hint has the options that select it, as far as they are needed.
    package struct Subject {
        /// nil for the account of the command line.
        package var account: String?
        /// nil for the account's usual one.
        package var identity: String?
        /// nil for the one in use.
        package var server: String?

        /// Whether it is the account's usual one, so that no option is needed to select it.
        package var isUsual = false

        package init(account: String? = nil, identity: String? = nil, server: String? = nil) {
            (self.account, self.identity, self.server) = (account, identity, server)
        }
    }

    package private(set) var words: String
    /// A command of this program without the program's name; shown with the options of the current command line.
    package let command: String?
    /// What the command works on, if the command line does not name it.
    package private(set) var subject = Subject()
    /// Whether the command runs with sudo, even if the agent would act without it.
    package private(set) var needsRoot = false
    /// Whether the command is the current command line, run with sudo.
    private var isElevated = false
    private var rest: [Advice] = []

    package init(_ words: String, _ command: String? = nil) { (self.words, self.command) = (words, command) }

    package init(_ words: String, _ command: String, of subject: Subject) {
        self.init(words, command)
        self.subject = subject
    }

    /// - Parameter rootCommand: a command that the agent does not run for the user.
    package init(_ words: String, rootCommand: String) {
        self.init(words, rootCommand)
        needsRoot = true
    }

    /// The current command line, run with sudo.
    package static var useSudo: Advice {
        var advice = Advice("Use sudo")
        advice.isElevated = true
        return advice
    }

    /// A copy with other words before the command.
    package func worded(_ words: String) -> Advice {
        var copy = self
        copy.words = words
        return copy
    }

    /// A copy whose commands work on a registration.
    package func about(_ subject: Subject) -> Advice {
        var copy = self
        copy.subject = subject
        copy.rest = rest.map { $0.about(subject) }
        return copy
    }

    /// A copy with another hint after it.
    package func adding(_ other: Advice) -> Advice {
        var copy = self
        copy.rest.append(other)
        return copy
    }

    package func adding(_ words: String, _ command: String? = nil) -> Advice { adding(Advice(words, command)) }

    package func text(_ output: some OutputOptions) -> String { lines(output).joined(separator: "\n") }

    package func lines(_ output: some OutputOptions) -> [String] {
        var line = words
        if isElevated {
            let words = ["sudo", output.program] + CommandLine.arguments.dropFirst().map(ShellWord.quoted)
            line += ": " + words.joined(separator: " ")
        } else if let command {
            line += ": " + output.line(command, for: self)
        }
        return [line] + rest.flatMap { $0.lines(output) }
    }
}
