// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "List devices.", subcommands: [List.self])

    struct List: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "List the devices of all users, or of one user.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String?
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let users: [UserRecord]
            if let userID { users = [try administrator.user(userID)] } else { users = try administrator.users() }
            let rows = users.flatMap { user in
                user.devices.map { device in
                    [
                        .state(device.state.rawValue), Table.Cell(user.user), Table.Cell(String(device.number)),
                        .time((device.registered ?? device.created).zulu),
                        Table.Cell(device.hasDeviceKey ? "yes" : "no"),
                        Table.Cell(device.name.isEmpty ? "(no name)" : device.name),
                    ]
                }
            }
            let members = users.flatMap { user in
                user.devices.map { UserReport.members($0).merging(["userId": user.user]) }
            }
            try options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICE", "SINCE", "KEY", "NAME"], rows: rows), ["devices": members])
        }
    }
}
