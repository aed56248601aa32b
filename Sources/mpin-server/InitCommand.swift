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

    @Option(
        help: ArgumentHelp(
            "Where the key is to lie that seals the master shares: file, or tpm, sealed to this machine.",
            valueName: "place"))
    var seal = KeyPlace.file

    func run() throws {
        guard seal != .credential else { throw ServerFault.onlySetup }
        let server = try Initialisation.run(
            options.serverDirectory, publicURL: publicURL, seal: seal, actor: Options.actor)
        var members: [String: Any] = [
            "dir": options.directory, "serverId": server.serverID, "seal": seal.rawValue,
        ]
        members["publicURL"] = publicURL
        var lines = ["Initialised \(options.directory)", "Server ID \(server.serverID)"]
        if let text = RecoveryKeyText(server.recovery) {
            lines += text.lines + [""]
            members.merge(text.members) { $1 }
        }
        lines += [
            "Next: \(options.line("serve --listen unix:/run/mpin/server.sock"))",
            "Then, for each person: \(options.line("invite USER"))",
        ]
        options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
