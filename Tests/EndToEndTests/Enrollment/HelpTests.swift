// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The size of help texts.
    @Suite struct HelpTests {
        private static func commands(_ program: String) throws -> [[String]] {
            var found: [[String]] = []
            let root = try #require(
                try Run(program, ["--experimental-dump-help"]).json()["command"] as? [String: Any])
            var open = [(path: [String](), command: root)]
            while let (path, command) = open.popLast() {
                found.append(path)
                for inner in command["subcommands"] as? [[String: Any]] ?? [] {
                    guard let name = inner["commandName"] as? String, name != "help" else { continue }
                    open.append((path + [name], inner))
                }
            }
            return found
        }

        @Test(arguments: [Products.enroll, Products.server])
        func `the help of a command fits on a screen`(_ program: String) throws {
            for command in try Self.commands(program) {
                let help = try Run(program, command + ["--help"])
                #expect(help.status == 0)
                #expect(help.lines.count <= 24, "\(command): \(help.lines.count)")
                // An example is on one line, so that it can be copied.
                #expect(help.lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
            }
        }
    }
}
