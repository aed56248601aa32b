import ArgumentParser
import CommandSyntax
import Foundation
import MPinServer

extension UserCommand {
    /// Deletes all that is kept of a user.
    struct Purge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete all that is kept of a user. There is no way back.",
            discussion: """
                Devices, invitations, wrong PINs and the suspension go. The lines of the audit log stay under a random \
                pseudonym, with what happened and when, and without addresses and details.
                """)

        @Argument(help: "The user ID.", completion: .accounts) var userID: String
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            try confirm()
            let (purged, pseudonym) = try administrator.purge(userID)
            // A server that runs writes lines of the audit log a moment later.
            usleep(500_000)
            try administrator.forget(userID, as: pseudonym)
            var lines = [
                "\(userID): deleted, \(purged.registrations) registration(s) and \(purged.invitations) invitation(s)",
                "In the audit log \(purged.events) line(s) stay, without address and detail, under: \(pseudonym)",
            ]
            if purged.wasSuspended {
                lines.append(
                    "The user was suspended, which has ended: where no invitation is needed, it can register again.")
            }
            lines.append("Backups from before still hold the user; another one: \(options.line("backup FILE"))")
            options.output.succeed(
                lines.joined(separator: "\n"),
                [
                    "userId": userID, "registrations": purged.registrations, "invitations": purged.invitations,
                    "wasSuspended": purged.wasSuspended, "events": purged.events, "pseudonym": pseudonym,
                ])
        }

        /// Has a person type the user ID again; a program has to say `--yes`.
        private func confirm() throws(ServerFault) {
            if yes { return }
            guard !options.json, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
                throw ServerFault(
                    .usage, "all that is kept of \(userID) would be deleted, and nobody can be asked",
                    hint: "Nothing was changed. To delete it, run: "
                        + options.line("user purge \(ShellWord.quoted(userID)) --yes"))
            }
            Swift.print("This deletes all that is kept of \(userID). To go on, type the user ID: ", terminator: "")
            fflush(nil)
            guard readLine() == userID else {
                throw ServerFault(.usage, "that is not \(userID)", hint: "Nothing was changed.")
            }
        }
    }
}
