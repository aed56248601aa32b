// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import ManualPages
import Testing

extension EndToEnd {
    /// The manuals of the programs, compared with their help, and the order of the help texts.
    @Suite struct ManualTests {
        /// A program's commands with their arguments and options, from its manual or its help.
        struct Synopsis: Equatable {
            var commands: [String: Set<String>] = [:]
            /// The options of all commands.
            var general: Set<String> = []
        }

        @Test(arguments: [(Products.enroll, "mpin-enroll.1"), (Products.server, "mpin-server.8")])
        func `every command and option of the help is in the manual, and no others`(
            _ program: String, _ name: String
        ) throws {
            let manual = try Self.manual(ManualPage(name))
            let commands = try Self.help(program)
            #expect(commands.count > 5)
            #expect(Set(commands.keys) == Set(manual.commands.keys))
            for (command, options) in commands {
                let own = options.subtracting(manual.general)
                #expect(own == manual.commands[command], "\(name): \(command)")
            }
            let all = try Self.help(program, withHidden: true).values.reduce(Set<String>()) { $0.union($1) }
            #expect(manual.general.subtracting(all) == [], "\(name)")
        }

        @Test func `the manual of mpin-enroll has every exit status, and no other`() throws {
            let page = try ManualPage("mpin-enroll.1").items(in: "EXIT STATUS").compactMap { Int($0) }
            #expect(page == ExitStatus.allCases.map { Int($0.rawValue) })
        }

        private static func manual(_ page: ManualPage) -> Synopsis {
            var synopsis = Synopsis()
            var command = ""
            for item in page.items(in: "COMMANDS") {
                if item.hasPrefix("Cm ") {
                    command = String(item.dropFirst(3)).replacing(#/ Op Ar (\S+)/#) { " [\($0.1)]" }.replacing(
                        " Ar ", with: " ")
                    synopsis.commands[command] = []
                } else {
                    synopsis.commands[command]?.insert(option(item))
                }
            }
            synopsis.general = Set(page.items(in: "OPTIONS").map(option))
            return synopsis
        }

        /// `Fl h , -help` as `-h, --help`, and `Fl -code Ar code` as `--code code`.
        private static func option(_ item: String) -> String {
            item.dropFirst(3).replacing(" Ar ", with: " ").components(separatedBy: " , ").map { "-" + $0 }
                .joined(separator: ", ")
        }

        private static func root(_ program: String) throws -> [String: Any] {
            let run = try Run(program, ["--experimental-dump-help"])
            #expect(run.status == 0, "\(run.errors)")
            return try #require(try run.json()["command"] as? [String: Any])
        }

        /// The options of each command.
        ///
        /// - Parameter withHidden: whether to include the options that help does not show.
        private static func help(_ program: String, withHidden: Bool = false) throws -> [String: Set<String>] {
            var found: [String: Set<String>] = [:]
            var open = try [(path: [String](), command: root(program))]
            while let (path, command) = open.popLast() {
                for inner in command["subcommands"] as? [[String: Any]] ?? [] {
                    let names = [inner["commandName"] as? String ?? ""] + (inner["aliases"] as? [String] ?? [])
                    guard names != ["help"], inner["shouldDisplay"] as? Bool != false else { continue }
                    open.append((path + [names.joined(separator: " | ")], inner))
                }
                guard command["subcommands"] == nil else { continue }
                let arguments = command["arguments"] as? [[String: Any]] ?? []
                let positional = arguments.filter {
                    $0["kind"] as? String == "positional" && $0["shouldDisplay"] as? Bool != false
                }.map { argument in
                    let name = argument["valueName"] as? String ?? ""
                    let isOptional = argument["isOptional"] as? Bool == true
                    return (isOptional ? "[\(name)]" : name) + (argument["isRepeating"] as? Bool == true ? " ..." : "")
                }
                found[(path + positional).joined(separator: " ")] = Set(
                    arguments.compactMap { option($0, withHidden: withHidden) })
            }
            return found
        }

        private static func option(_ argument: [String: Any], withHidden: Bool) -> String? {
            guard withHidden || argument["shouldDisplay"] as? Bool != false else { return nil }
            guard let names = argument["names"] as? [[String: String]] else { return nil }
            let spellings = names.map { ($0["kind"] == "short" ? "-" : "--") + ($0["name"] ?? "") }
            let value = argument["kind"] as? String == "option" ? " " + (argument["valueName"] as? String ?? "") : ""
            return spellings.joined(separator: ", ") + value
        }
    }
}
