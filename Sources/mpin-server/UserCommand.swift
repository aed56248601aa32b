// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import ShellSyntax

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "List, show and change users.",
        subcommands: [
            List.self, Show.self, Devices.self, Unblock.self, Revoke.self, Restore.self, Purge.self,
        ])

    struct List: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "List all users.")

        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let users = try administrator.users()
            let refused = users.map { administrator.refusesWithoutKey ? $0.devicesWithoutKey : 0 }
            let rows = zip(users, refused).map { user, refused in
                [
                    .state((user.suspended == nil ? "" : "SUSPENDED,") + user.state.rawValue), Table.Cell(user.user),
                    Table.Cell("\(user.devicesInForce)" + (refused == 0 ? "" : ", \(refused) refused: no device key")),
                ]
            }
            try options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICES"], rows: rows),
                [
                    "users": zip(users, refused).map { user, refused -> Members in
                        [
                            "userId": user.user, "state": user.state.rawValue, "devices": user.devicesInForce,
                            "suspended": user.suspended != nil, "refusedWithoutKey": refused,
                        ]
                    }
                ])
        }
    }

    struct Show: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Show one user, with devices and their numbers.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let user = try administrator.user(userID)
            let report = UserReport(
                user, limits: administrator.attemptLimits,
                restore: options.line("user restore " + ShellWord.quoted(user.user)),
                refusesWithoutKey: administrator.refusesWithoutKey)
            try options.output.succeed(report.text.wrapped(Display.output.columns), report.members)
        }
    }

    struct Devices: DirectoryCommand {
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

    struct Purge: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete all data about a user. This cannot be undone.",
            discussion: """
                Deletes devices, invitations, wrong PINs and the suspension. Audit log lines stay under a random \
                pseudonym, with event and time, but without addresses and details.
                """)

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
        @Flag(help: "Do not ask for confirmation.") var yes = false
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let hasCertificate = try administrator.mayHaveSSHCertificate(userID)
            try confirm(hasCertificate)
            let (purged, pseudonym) = try administrator.purge(userID)
            // A running server writes audit log lines with a short delay.
            usleep(500_000)
            try administrator.forget(userID, as: pseudonym)
            var lines = [
                "\(userID): deleted \(counted(purged.registrations, "device")) and "
                    + counted(purged.invitations, "invitation"),
                "Under the pseudonym \(pseudonym), the audit log keeps \(counted(purged.events, "line")) "
                    + "without addresses and details",
            ]
            if purged.wasSuspended {
                lines.append("The suspension has ended: if no invitation is required, the user can register again.")
            }
            if hasCertificate { lines.append(SSHCommand.remaining) }
            lines.append("Older backups still contain the user. Make a new backup: \(options.line("backup FILE"))")
            try options.output.succeed(
                lines.joined(separator: "\n"),
                [
                    "userId": userID, "registrations": purged.registrations, "invitations": purged.invitations,
                    "wasSuspended": purged.wasSuspended, "events": purged.events, "pseudonym": pseudonym,
                ])
        }

        /// Asks the administrator to type the user ID again. Without a terminal, `--yes` is required.
        private func confirm(_ hasCertificate: Bool) throws(ServerError) {
            if yes { return }
            if hasCertificate {
                Output.warn("this also deletes the serial numbers of the user's ssh certificates from the audit log")
            }
            let answer = options.output.ask("This deletes all data about \(userID). To continue, type the user ID: ")
            guard let answer else {
                throw ServerError(
                    .usage, "cannot ask for confirmation: no terminal",
                    hint: "Nothing was changed.\nDelete without confirmation: "
                        + options.line("user purge \(ShellWord.quoted(userID)) --yes"))
            }
            guard answer == userID else {
                throw ServerError(.usage, "that is not \(userID)", hint: "Nothing was changed.")
            }
        }
    }
}
