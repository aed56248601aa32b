// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
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
    package func words(_ names: String...) -> [String] {
        all.filter { names.contains($0.name) }.flatMap { $0.words.map(ShellWord.quoted) }
    }
}
