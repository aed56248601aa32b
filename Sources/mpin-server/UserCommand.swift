// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import ShellSyntax

/// Lists, shows and changes users.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "List, show and change users.",
        subcommands: [List.self, Show.self, Unblock.self, Block.self, Revoke.self, Restore.self, Purge.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all users.")

        @OptionGroup(title: HelpText.common) var options: Options

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
            options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICES"], rows: rows),
                [
                    "users": zip(users, refused).map { user, refused in
                        [
                            "userId": user.user, "state": user.state.rawValue, "devices": user.devicesInForce,
                            "suspended": user.suspended != nil, "refusedWithoutKey": refused,
                        ]
                    }
                ])
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one user, with devices and their numbers.")

        @Argument(help: "The user ID.", completion: .serverUsers) var userID: String
        @OptionGroup(title: HelpText.common) var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let user = try administrator.user(userID)
            let report = UserReport(
                user,
                limits: UserReport.Limits(
                    inARow: administrator.attemptLimit, recent: administrator.recentLimit,
                    days: administrator.recentDays),
                restore: options.line("user restore " + ShellWord.quoted(user.user)),
                unsigned: (administrator.refusesWithoutKey, try administrator.unsignedRefusals(user.user)))
            options.output.succeed(report.text.wrapped(Display.output.columns), report.members)
        }
    }
}
