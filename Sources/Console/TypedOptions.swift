// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
import FoundationEssentials
import ShellSyntax

/// The options of a command line as the user typed them, for commands in hints.
package struct TypedOptions {
    private let all: [(name: String, value: String?, words: [String])]

    package init(_ arguments: [String], of root: any ParsableCommand.Type) {
        let valued = OptionNames.withValue(root)
        var all: [(name: String, value: String?, words: [String])] = []
        var rest = arguments.prefix { $0 != "--" }
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else { continue }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 1, valued.contains(argument), let value = rest.popFirst() {
                all.append((argument, value, [argument, value]))
            } else {
                all.append((parts[0], parts.dropFirst().first, [argument]))
            }
        }
        self.all = all
    }

    /// The value of an option; nil without this option.
    package func value(of name: String) -> String? { all.first { $0.name == name }?.value }

    /// The options with these names and their values, as words of the shell.
    package func words(_ names: [String]) -> [String] {
        all.filter { names.contains($0.name) }.flatMap { $0.words.map(ShellWord.quoted) }
    }
}

/// The options of a program, from the parser's description of its commands.
enum OptionNames {
    /// The options of all commands that have a value.
    static func withValue(_ root: any ParsableCommand.Type) -> Set<String> {
        let tree = try? JSONDecoder().decode(Tree.self, from: Data(root._dumpHelp().utf8))
        return tree?.command.valued ?? []
    }

    /// The description, as far as it is needed.
    private struct Tree: Decodable {
        struct Command: Decodable {
            let subcommands: [Command]?
            let arguments: [Argument]?

            var valued: Set<String> {
                let own = (arguments ?? []).filter { $0.kind == "option" }.flatMap { $0.names ?? [] }
                return (subcommands ?? []).reduce(into: Set(own.map { "--" + $0.name })) { $0.formUnion($1.valued) }
            }
        }

        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
        }

        struct Name: Decodable { let name: String }

        let command: Command
    }
}
