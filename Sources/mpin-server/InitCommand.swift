import ArgumentParser
import MPinServer

/// Makes the keys and the database of a new server.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make the keys and the database of a new server.")

    @OptionGroup var options: Options

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp("The address the world sees; without it settings carry paths only.", valueName: "url"))
    var publicURL: String?

    func run() throws {
        let serverID = try Initialisation.run(
            options.serverDirectory, publicURL: publicURL, actor: Options.actor)
        var members: [String: Any] = ["dir": options.directory, "serverId": serverID]
        members["publicURL"] = publicURL
        let text = """
            Initialised \(options.directory)
            Server ID \(serverID)
            Next: \(options.line("serve --listen unix:/run/mpin/server.sock"))
            Then, for each person: \(options.line("invite USER"))
            """
        options.output.succeed(text, members)
    }
}
