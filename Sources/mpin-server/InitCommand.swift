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

    @OptionGroup var hosts: TwoHostOptions

    func run() throws {
        let kind = try hosts.kind(publicURL: publicURL)
        let serverID = try Initialisation.run(
            options.serverDirectory, as: kind, publicURL: publicURL, actor: Options.actor)
        var members: [String: Any] = ["dir": options.directory, "serverId": serverID]
        members["publicURL"] = publicURL
        var lines = ["Initialised \(options.directory)"]
        switch kind {
        case .combined:
            lines.append("Server ID \(serverID)")
        case .relyingParty(let address):
            let line = try RelyingPartyIdentity(of: options.serverDirectory).line
            (members["relyingParty"], members["secondAuthority"]) = (line, address)
            lines += ["Server ID \(serverID)"] + Self.wayToSecondHost(address, line)
        case .authority:
            members["role"] = kind.role.rawValue
            let serve = options.line("serve --role authority --listen ADDRESS --tls-cert FILE --tls-key FILE")
            lines.append("It holds one master share, for that relying party alone.")
            lines.append("Next: \(serve)")
            return options.output.succeed(lines.joined(separator: "\n"), members)
        }
        lines.append("Next: \(options.line("serve --listen unix:/run/mpin/server.sock"))")
        lines.append("Then, for each person: \(options.line("invite USER"))")
        options.output.succeed(lines.joined(separator: "\n"), members)
    }

    private static func wayToSecondHost(_ address: String, _ line: String) -> [String] {
        [
            "The relying party, to be copied to the host of \(address):",
            line,
            "First, there: mpin-server init --role authority --relying-party \(line)",
            "and have it serve: mpin-server serve --role authority --listen ADDRESS --tls-cert FILE --tls-key FILE",
        ]
    }
}
