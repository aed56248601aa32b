// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinConfiguration

struct ConfigShowCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the value of each option and where it is set.",
        discussion: """
            Prints columns with a heading on a terminal. Otherwise, prints a line for each option, with tabs between \
            option, value and origin.
            """)

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let configuration = try common.configuration()
        var rows: [[String]] = []
        var members: [Members] = []
        for option in ConfigurationOption.allCases where option.isInFile {
            let (name, value) = (option.name, configuration.text(of: option))
            let origin = ConfigShowCommand.origin(configuration, option)
            rows.append([name, value.isEmpty ? "-" : value, origin])
            var member: Members = [
                "option": name, "value": value.isEmpty ? nil : value as String?, "origin": origin,
            ]
            if case .file(let line) = configuration.origin(of: option) {
                member["file"] = configuration.file
                member["line"] = line
            }
            members.append(member)
        }
        let table = Table(heading: ["OPTION", "VALUE", "ORIGIN"], rows: rows)
        return Report(
            table, ["file": configuration.file, "options": members])
    }

    private static func origin(_ configuration: Configuration, _ option: ConfigurationOption) -> String {
        switch configuration.origin(of: option) {
        case .standard: "default"
        case .file(let line): "\(configuration.file):\(line)"
        case .argument: "--" + option.name.split(separator: "_").joined(separator: "-")
        }
    }
}
