import ArgumentParser
import MPinServer

/// The key with which a relying party asks a second authority on another host.
struct RelyingPartyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relying-party",
        abstract: "The key with which a relying party asks its second authority on another host.",
        discussion: """
            Whoever has copied the relying party's disk can ask in its name until it has another key. No server must run \
            in the directory that is changed.
            """,
        subcommands: [Show.self, Renew.self, Accept.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the line that the second authority's host has to know.")

        @OptionGroup var options: Options

        func run() throws {
            guard options.serverDirectory.role != .combined else {
                throw ServerFault(
                    .configuration, "\(options.directory) holds both authorities, and asks none on another host",
                    hint: "There is a line for a server of: mpin-server init --second-authority URL")
            }
            let line = try RelyingPartyIdentity(of: options.serverDirectory).line
            options.output.succeed(line, ["relyingParty": line])
        }
    }

    struct Renew: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make another key, and print the line for the second authority's host.")

        @OptionGroup var options: Options

        func run() throws {
            let line = try RelyingPartyRenewal.renew(options.serverDirectory, actor: Options.actor).line
            options.output.succeed(
                """
                The relying party has another key:
                \(line)
                Until the second authority knows it, nobody can be enrolled. On its host, with its server stopped, run:
                mpin-server relying-party accept \(line)
                Next, a backup: one from before holds the former key. \(options.line("backup FILE"))
                """, ["relyingParty": line])
        }
    }

    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "At the second authority's host: take the new key in place of the former one.")

        @Argument(help: "The line that 'relying-party renew' has printed on the other host.") var line: String
        @OptionGroup var options: Options

        func run() throws {
            let identity = try RelyingPartyIdentity(line: line)
            try RelyingPartyRenewal.accept(identity, options.serverDirectory, actor: Options.actor)
            let serve = options.line("serve --role authority --listen ADDRESS --tls-cert FILE --tls-key FILE")
            options.output.succeed(
                "Questions of the former key are refused from now on.\nNext: \(serve)",
                ["relyingParty": try identity.line])
        }
    }
}
