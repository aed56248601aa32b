import ArgumentParser
import CommandSyntax
import MPinServer

/// Looks at accounts and changes them.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Look at users and change how they stand.",
        subcommands: [List.self, Show.self, Unblock.self, Revoke.self, Restore.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all users.")

        @OptionGroup var options: Options

        func run() throws {
            let users = try options.administrator().users()
            let rows = users.map { [$0.state.rawValue, $0.user, "\($0.devices.count) device(s)"] }
            options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICES"], rows: rows).lines(isTerminal: Output.isTerminal).joined(
                    separator: "\n"),
                ["users": users.map { ["userId": $0.user, "state": $0.state.rawValue, "devices": $0.devices.count] }])
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one user.")

        @Argument(help: "The user ID.") var userID: String
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let user = try administrator.user(userID)
            let report = UserReport(user, limit: administrator.attemptLimit)
            options.output.succeed(report.text, report.members)
        }
    }

    struct Unblock: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a user try again after wrong PINs.")

        @Argument(help: "The user ID.") var userID: String
        @OptionGroup var options: Options

        func run() throws {
            let count = try options.administrator().unblock(userID)
            options.output.succeed(
                "\(userID): \(count) device(s) unblocked"
                    + (count == 0 ? "" : "\nOn each of them: mpin-enroll recover, with the old PIN."),
                ["userId": userID, "unblocked": count])
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke the devices and open invitations a user has now.",
            discussion: "A later invitation enrols the user anew; 'restore' takes the revocation back.")

        @Argument(help: "The user ID.") var userID: String
        @OptionGroup var options: Options
        @Option(help: ArgumentHelp("Why; the user is told.", valueName: "text")) var reason: String?

        func run() throws {
            let count = try options.administrator().revoke(userID, reason: reason)
            options.output.succeed("\(userID): \(count) device(s) revoked", ["userId": userID, "revoked": count])
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take back what 'revoke' did to a user's devices.")

        @Argument(help: "The user ID.") var userID: String
        @OptionGroup var options: Options

        func run() throws {
            let count = try options.administrator().restore(userID)
            options.output.succeed("\(userID): \(count) device(s) restored", ["userId": userID, "restored": count])
        }
    }
}
