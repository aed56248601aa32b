// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinConfiguration

/// `config show`: shows the value and the origin of each option.
struct ConfigShowCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the value of each option and where it is set.",
        discussion: """
            Prints columns with a heading on a terminal. Otherwise, prints a line for each option, with tabs between \
            option, value and origin.
            """)

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let configuration = try common.configuration()
        var rows: [[String]] = []
        var members: [[String: Report.Value]] = []
        for option in ConfigurationOption.allCases where option.isInFile {
            let (name, value) = (option.name, configuration.text(of: option))
            let origin = ConfigShowCommand.origin(configuration, option)
            rows.append([name, value.isEmpty ? "-" : value, origin])
            var member: [String: Report.Value] = [
                "option": .text(name), "value": value.isEmpty ? .none : .text(value), "origin": .text(origin),
            ]
            if case .file(let line) = configuration.origin(of: option) {
                member["file"] = .text(configuration.file)
                member["line"] = .number(line)
            }
            members.append(member)
        }
        let table = Table(heading: ["OPTION", "VALUE", "ORIGIN"], rows: rows)
        return CommandOutcome(
            report: Report(table, ["file": .text(configuration.file), "options": .list(members)]), isAnswer: true)
    }

    private static func origin(_ configuration: Configuration, _ option: ConfigurationOption) -> String {
        switch configuration.origin(of: option) {
        case .standard: "default"
        case .file(let line): "\(configuration.file):\(line)"
        case .argument: "--" + option.name.split(separator: "_").joined(separator: "-")
        }
    }
}
