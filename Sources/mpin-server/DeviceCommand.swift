// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import ShellSyntax

/// Lists the devices of users, or revokes one.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "List devices, or revoke one.", subcommands: [List.self, Revoke.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the devices of all users, or of one user.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String?
        @OptionGroup(title: HelpText.common) var options: Options

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
                user.devices.map { UserReport.members($0).merging(["userId": user.user]) { $1 } }
            }
            options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICE", "SINCE", "KEY", "NAME"], rows: rows), ["devices": members])
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one device. The user's other devices still work.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
        @Argument(help: "The device's number, from 'device list'.") var device: Int
        @Option(help: .value("text", "Reason, shown to the user.")) var reason: String?
        @OptionGroup(title: HelpText.common) var options: Options

        func run() throws {
            _ = try options.administrator().revoke(userID, device: device, reason: reason)
            let back = options.line("user restore \(ShellWord.quoted(userID))") + " --device \(device)"
            options.output.succeed(
                """
                \(userID): device \(device) revoked
                Backup codes and invitations created by the user no longer work.
                Undo: \(back)
                """, ["userId": userID, "device": device, "revoked": 1])
        }
    }
}
