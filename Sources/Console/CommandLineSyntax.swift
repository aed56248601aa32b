// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import ShellSyntax

/// Checks of a command line that the argument parser does not make or reports badly.
package struct CommandLineSyntax {
    private let root: any ParsableCommand.Type
    private let program: String
    /// The commands, and the subcommands of each.
    private let commands: [String: [String]]
    /// The commands that have a default subcommand.
    private let withDefault: Set<String>
    /// The options that may be repeated.
    private let repeatable: Set<String>
    /// The words before the program in a command line to type, such as `sudo`.
    private let prefix: [String]

    package init(_ root: any ParsableCommand.Type, repeatable: Set<String>, prefix: [String] = []) {
        (self.root, self.repeatable, self.prefix) = (root, repeatable, prefix)
        program = root._commandName
        let all = root.configuration.subcommands
        var commands = ["help": [String]()]
        for command in all {
            let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            let inner = shown.map { $0._commandName }
            for name in [command._commandName] + command.configuration.aliases { commands[name] = inner }
        }
        self.commands = commands
        withDefault = Set(all.filter { $0.configuration.defaultSubcommand != nil }.map { $0._commandName })
    }

    /// The message for an invalid command line; `nil` for a valid one.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    package func fault(_ arguments: [String]) -> String? {
        if arguments.first == "help" { return helpFault(arguments.dropFirst().prefix { !$0.hasPrefix("-") }) }
        if let first = arguments.first, !first.hasPrefix("-") {
            guard let inner = commands[first] else { return unknown(first, Array(commands.keys)) }
            if let second = arguments.dropFirst().first, !inner.isEmpty, !second.hasPrefix("-"), !inner.contains(second)
            {
                return unknown(second, inner, of: first)
            }
            // The parser would print its help and exit with 0.
            if !inner.isEmpty, arguments.count == 1, !withDefault.contains(first) {
                return "'\(first)' needs a command: \(inner.joined(separator: ", ")). See: "
                    + "\(program) \(first) --help"
            }
        }
        // The parser would silently use the last one.
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.prefix { $0 != "=" })
            guard seen.insert(name).inserted || repeatable.contains(name) else { return "\(name) is given twice." }
        }
        return misplacedFault(arguments)
    }

    /// The message for options before the command. The parser would treat the command as an operand, or report an
    /// unknown option.
    private func misplacedFault(_ arguments: [String]) -> String? {
        guard arguments.first?.hasPrefix("-") == true else { return nil }
        // A value may look like a command.
        let valued = OptionNames.withValue(root)
        var index = 0
        while index < arguments.count, commands[arguments[index]] == nil {
            // Help and the version may come before everything else.
            guard !["--", "-h", "--help", "--version"].contains(arguments[index]) else { return nil }
            index += valued.contains(arguments[index]) ? 2 : 1
        }
        guard index < arguments.count, arguments[index] != "help" else { return nil }
        let behind = arguments[index...], end = behind.firstIndex(of: "--") ?? behind.endIndex
        let words = behind[..<end] + arguments[..<index] + behind[end...]
        return "Put options after the command: "
            + (prefix + [program] + words.map(ShellWord.quoted)).joined(separator: " ")
    }

    /// The message for help on an unknown command. The parser would show the help of the whole program.
    private func helpFault(_ names: ArraySlice<String>) -> String? {
        guard let first = names.first else { return nil }
        guard let inner = commands[first] else { return unknown(first, Array(commands.keys)) }
        guard let second = names.dropFirst().first, !inner.contains(second) else { return nil }
        return unknown(second, inner, of: first)
    }

    private func unknown(_ word: String, _ commands: [String], of group: String? = nil) -> String {
        let name = String(
            word.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7f }.map(Character.init).prefix(40))
        let command = (group.map { "\($0) " } ?? "") + name
        if let meant = CommandLineSyntax.nearest(to: word, commands) {
            return "There is no command '\(command)'. Did you mean '\(group.map { "\($0) " } ?? "")\(meant)'?"
        }
        guard let group else { return "There is no command '\(command)'. See: \(program) --help" }
        return "There is no command '\(command)'. Commands of '\(group)': \(commands.joined(separator: ", "))."
    }

    /// The command most similar to the word, if one is similar enough.
    private static func nearest(to word: String, _ commands: [String]) -> String? {
        let ranked = commands.sorted().map { (command: $0, distance: distance($0, word), begins: $0.hasPrefix(word)) }
        // At the same distance, a command that starts with the word comes first.
        let best = ranked.min { ($0.distance, $0.begins ? 0 : 1) < ($1.distance, $1.begins ? 0 : 1) }
        guard let best else { return nil }
        return isClose(best.distance, best.command) || best.begins ? best.command : ranked.first { $0.begins }?.command
    }

    /// Whether a word with so many typing errors can be meant: one error, or two in a word of at least eight letters.
    private static func isClose(_ distance: Int, _ name: String) -> Bool { distance <= (name.utf8.count < 8 ? 1 : 2) }

    /// The parser's message about an unknown option, without its proposal if that is not close.
    ///
    /// ArgumentParser returns only its English sentence: "Unknown option '--x'. Did you mean '--y'?". If a new version
    /// has other words, its message is shown unchanged, and `ExitCodeTests` fail.
    package static func message(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard text.contains("Unknown option '"), parts.count >= 5, parts[2].contains("Did you mean"),
            !isClose(distance(parts[1], parts[3]), parts[3])
        else { return text }
        // The usage follows.
        return ([parts[0], parts[1], "." + parts[4].dropFirst()] + parts[5...]).joined(separator: "'")
    }

    /// The Damerau-Levenshtein distance (optimal string alignment).
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8.prefix(64)), right = Array(right.utf8.prefix(64))
        var rows = [Array(0...right.count)]
        for (index, letter) in left.enumerated() {
            var row = [index + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    rows[index][column] + (letter == other ? 0 : 1), row[column] + 1, rows[index][column + 1] + 1)
                if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
                    best = min(best, rows[index - 1][column - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
