// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinAgent
import MPinConfiguration

struct ConfigShowCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the value of each option and where it is set.",
        discussion: """
            Prints columns with a heading on a terminal. Otherwise, prints a line for each option, with tabs between \
            option, origin and value.
            """)

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let configuration = try common.configuration()
        var rows: [[String]] = []
        var members: [Members] = []
        for option in ConfigurationOption.allCases where option.isInFile {
            let (name, value) = (option.name, configuration.text(of: option))
            let origin = ConfigShowCommand.origin(configuration, option)
            var member: Members = [
                "option": name, "value": value.isEmpty ? nil : value as String?, "origin": origin,
            ]
            if option == .server, value.isEmpty, let server = enrolledServer {
                rows.append([name, "enrollment", server])
                member["enrollment"] = server
            } else {
                rows.append([name, origin, value.isEmpty ? "-" : value])
            }
            if case .file(let line) = configuration.origin(of: option) {
                member["file"] = configuration.file
                member["line"] = line
            }
            members.append(member)
        }
        // The value is last, and may be longer than the line: each option gets one line.
        let cells = rows.map { $0.map { Table.Cell($0) } }
        let table = Table(heading: ["OPTION", "ORIGIN", "VALUE"], rows: cells, isLog: true)
        return Report(
            table, ["file": configuration.file, "options": members])
    }

    /// The server of the account's enrollment, which logins use if the configuration names none.
    private var enrolledServer: String? {
        do throws(CommandFailure) {
            return try AccountStatus(TargetAccount(common, mayBeGone: true), common).user?.backend
        } catch { return nil }
    }

    private static func origin(_ configuration: Configuration, _ option: ConfigurationOption) -> String {
        switch configuration.origin(of: option) {
        case .standard: "default"
        case .file(let line): "\(configuration.file):\(line)"
        case .argument: "--" + option.name.split(separator: "_").joined(separator: "-")
        }
    }
}
