import ArgumentParser
import CommandSyntax
import MPinServer

/// Knows hosts by a secret, and forgets them.
struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Know the hosts whose logins are approved on devices.",
        discussion: """
            A host that shows its secret with the session it opens may say for whom and from where; devices show that \
            as verified.
            """,
        subcommands: [Add.self, List.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a secret for a host, in place of one that it had before.")

        @Argument(help: "The host's name, as devices show it.") var name: String
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let isKnown = try administrator.hosts().contains { $0.name == name }
            let secret = try administrator.addHost(name)
            if isKnown { Output.warn("the secret that \(name) had before is void now") }
            options.output.succeed(secret, ["host": name, "secret": secret])
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the hosts.")

        @OptionGroup var options: Options

        func run() throws {
            let hosts = try options.administrator().hosts()
            options.output.succeed(
                Table(heading: ["HOST", "SINCE"], rows: hosts.map { [$0.name, "since \($0.created.zulu)"] }).lines(
                    isTerminal: Output.isTerminal, columns: Output.columns
                ).joined(separator: "\n"),
                ["hosts": hosts.map { ["host": $0.name, "since": $0.created.zulu] }])
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forget a host; its secret is void at once.")

        @Argument(help: "The host's name.") var name: String
        @OptionGroup var options: Options

        func run() throws {
            try options.administrator().removeHost(name)
            options.output.succeed("\(name) removed", ["host": name])
        }
    }
}
