// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

struct HostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Manage the hosts that may request sign-ins.",
        discussion: """
            A host that sends its secret with a sign-in request can name the account, the service and the address. \
            Devices show these as verified.
            """, subcommands: [Add.self, List.self, Remove.self])

    struct Add: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a secret for a host. Replaces any existing secret.")

        @Argument(help: "The host's name, as devices show it.") var name: String
        @OptionGroup var options: Options

        func run() throws {
            let administrator = try options.administrator()
            let isKnown = try administrator.hosts().contains { $0.name == name }
            let secret = try administrator.addHost(name)
            if isKnown { Output.warn("the previous secret of \(name) no longer works") }
            try options.output.succeed(secret, ["host": name, "secret": secret])
        }
    }

    struct List: DirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "List the hosts.")

        @OptionGroup var options: Options

        func run() throws {
            let hosts = try options.administrator().hosts()
            try options.output.succeed(
                Table(heading: ["HOST", "SINCE"], rows: hosts.map { [Table.Cell($0.name), .time($0.created.zulu)] }),
                ["hosts": hosts.map { ["host": $0.name, "since": $0.created.zulu] as Members }])
        }
    }

    struct Remove: DirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a host. Its secret stops working immediately.")

        @Argument(help: "The host's name.") var name: String
        @OptionGroup var options: Options

        func run() throws {
            try options.administrator().removeHost(name)
            try options.output.succeed("\(name): removed", ["host": name])
        }
    }
}
