// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The order of help texts.
    @Suite struct HelpTests {
        @Test(arguments: [
            (
                true, ["register"],
                ["USAGE:", "--code-file", "Example: sudo mpin-enroll register", "COMMON OPTIONS:", "--store"]
            ),
            (true, [], ["USAGE:", "SUBCOMMANDS:", "The manual has", "See 'mpin-enroll help"]),
            (
                false, ["invite"],
                ["ARGUMENTS:", "--ttl", "Example: sudo mpin-server invite alice", "COMMON OPTIONS:", "--dir"]
            ),
            (false, [], ["USAGE:", "SUBCOMMANDS:", "The manual has", "See 'mpin-server help"]),
        ])
        func `a command's own options come before the common ones`(
            _ isClient: Bool, _ command: [String], _ order: [String]
        ) throws {
            let program = isClient ? Products.enroll : Products.server
            for arguments in [command + ["--help"], ["help"] + command] {
                let help = try Run(program, arguments)
                #expect(help.status == 0)
                var rest = help.output[...]
                for text in order {
                    let found = try #require(rest.range(of: text), "\(text) is missing or too early: \(help.output)")
                    rest = rest[found.upperBound...]
                }
                // An example is on one line, so that it can be copied.
                let lines = help.output.split(separator: "\n").filter { !$0.hasPrefix("USAGE:") }
                #expect(lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
            }
        }
    }
}
