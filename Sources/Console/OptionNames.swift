// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FoundationEssentials

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
