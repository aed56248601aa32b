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
            let rows = users.map { [$0.state.rawValue, $0.user, "\($0.devicesInForce) device(s)"] }
            options.output.succeed(
                Table(heading: ["STATE", "USER", "DEVICES"], rows: rows).lines(isTerminal: Output.isTerminal).joined(
                    separator: "\n"),
                [
                    "users": users.map {
                        ["userId": $0.user, "state": $0.state.rawValue, "devices": $0.devicesInForce]
                    }
                ])
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
            let administrator = try options.administrator()
            let count = try administrator.unblock(userID)
            let revoked = try administrator.user(userID).devices.count { $0.state == .revoked }
            var text = "\(userID): \(count) device(s) unblocked"
            if count > 0 { text += "\nOn each of them: sudo mpin-enroll recover, with the old PIN." }
            if revoked > 0 {
                text += "\n\(revoked) device(s) are revoked, which this does not change. See: "
                text += options.line("user show " + ShellWord.quoted(userID))
            }
            options.output.succeed(text, ["userId": userID, "unblocked": count, "revoked": revoked])
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
            let administrator = try options.administrator()
            let before = try administrator.user(userID)
            _ = try administrator.revoke(userID, reason: reason)
            let change = UserChange(before, try administrator.user(userID)) {
                $0.state != .revoked && $1.state == .revoked
            }
            options.output.succeed(
                change.text("revoked"), ["userId": userID, "revoked": change.devices, "unfinished": change.unfinished])
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take back what 'revoke' did to a user's devices.")

        @Argument(help: "The user ID.") var userID: String
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let before = try administrator.user(userID)
            _ = try administrator.restore(userID)
            let change = UserChange(before, try administrator.user(userID)) {
                $0.state == .revoked && $1.state != .revoked
            }
            var text = change.text("restored")
            if change.blocked > 0 {
                text += "\nStill blocked after wrong PINs: \(change.blocked). Unblock: "
                text += options.line("user unblock " + ShellWord.quoted(userID))
            }
            let left = try administrator.user(userID).devices.count { $0.state == .revoked }
            if left > 0 { text += "\n\(left) device(s) stay revoked: their owner has revoked or replaced them." }
            options.output.succeed(
                text,
                [
                    "userId": userID, "restored": change.devices, "unfinished": change.unfinished,
                    "blocked": change.blocked,
                ])
        }
    }
}
