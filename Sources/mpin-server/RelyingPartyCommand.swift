// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerRoles
import MPinServerStorage

struct RelyingPartyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relying-party",
        abstract: "Manage the relying party's key.",
        discussion: """
            The relying party signs its requests to a second authority on another host with this key. Renew it if its disk may have been copied. Stop the \
            server before 'renew' and 'accept'.
            """, subcommands: [Show.self, Renew.self, Accept.self])

    struct Show: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Print the relying party's public key line.")

        @OptionGroup var options: Options

        func run() throws {
            guard try options.serverDirectory.role != .combined else {
                throw ServerError(
                    .configuration, "\(options.directory) has no second authority on another host",
                    hint: "Only a server made by 'mpin-server init --second-authority URL' has such a key.")
            }
            let line = try RelyingPartyIdentity(of: options.serverDirectory).line
            try options.output.succeed(line, ["relyingParty": line])
        }
    }

    struct Renew: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a new key, and print its line for the second authority.")

        @OptionGroup var options: Options

        func run() throws {
            let line = try RelyingPartyRenewal.renew(options.serverDirectory, actor: Options.actor).line
            try options.output.succeed(
                """
                The relying party has a new key:
                \(line)
                New devices cannot enroll until the second authority accepts it. Stop the server there, then run:
                mpin-server relying-party accept \(line)
                Older backups contain the former key. Make a new backup: \(options.line("backup FILE"))
                """, ["relyingParty": line])
        }
    }

    struct Accept: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "On the second authority's host: accept the new key.")

        @Argument(help: "The line that 'relying-party renew' printed on the other host.") var line: String
        @OptionGroup var options: Options

        func run() throws {
            let identity = try RelyingPartyIdentity(line: line)
            try RelyingPartyRenewal.accept(identity, options.serverDirectory, actor: Options.actor)
            try options.output.succeed(
                "Requests signed with the former key are refused from now on.\n"
                    + "Next: \(options.line(ServerRole.authority.serve(options.directory)))",
                ["relyingParty": try identity.line])
        }
    }
}
