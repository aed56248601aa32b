import ArgumentParser
import CommandSyntax
import MPinServer

/// Looks at accounts and changes them.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Look at users and change how they stand.",
        subcommands: [List.self, Show.self, Unblock.self, Revoke.self, Restore.self, Purge.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all users.")

        @OptionGroup var options: Options

        func run() throws {
            let users = try options.administrator().users()
            let rows = users.map {
                [
                    ($0.suspended == nil ? "" : "SUSPENDED,") + $0.state.rawValue, $0.user,
                    "\($0.devicesInForce) device(s)",
                ]
            }
            options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICES"], rows: rows).lines(isTerminal: Output.isTerminal).joined(
                    separator: "\n"),
                [
                    "users": users.map {
                        [
                            "userId": $0.user, "state": $0.state.rawValue, "devices": $0.devicesInForce,
                            "suspended": $0.suspended != nil,
                        ]
                    }
                ])
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one user, and the numbers of the devices.")

        @Argument(help: "The user ID.", completion: .accounts) var userID: String
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let user = try administrator.user(userID)
            let report = UserReport(
                user,
                limits: UserReport.Limits(
                    inARow: administrator.attemptLimit, recent: administrator.recentLimit,
                    days: administrator.recentDays),
                restore: options.line("user restore " + ShellWord.quoted(user.user)))
            options.output.succeed(report.text, report.members)
        }
    }
}
