// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerRoles
import MPinServerStorage

struct InitCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create the keys and the database of a new server.")

    @Option(
        name: .customLong("public-url"),
        help: .value("url", "The server's public address."))
    var publicURL: String?

    @Option(help: .value("place", "Where to keep the sealing key."))
    var seal = KeyPlace.file

    @Flag(
        name: .customLong("shown-by-caller"),
        help: ArgumentHelp("Let the caller show the recovery key.", visibility: .private)) var isShownByCaller = false

    @OptionGroup var hosts: TwoHostOptions
    @OptionGroup var options: Options

    func run() throws {
        let kind = try hosts.kind(publicURL: publicURL)
        let directory = try options.serverDirectory
        let server = try Initialization.run(
            directory, as: kind, publicURL: publicURL, seal: seal,
            showing: seal == .tpm ? options.output.recoveryKeyDisplay() : nil, actor: Options.actor)
        var members: Members = [
            "dir": options.directory, "seal": seal.rawValue,
        ]
        members["publicURL"] = publicURL
        var lines = ["Initialized \(options.directory)"]
        if let fingerprint = server.fingerprint {
            members["serverId"] = fingerprint.filter { $0 != "-" }
            members["fingerprint"] = fingerprint
            lines += ["Fingerprint of the server's key:", fingerprint]
        }
        if let text = RecoveryKeyText(server.recovery) { members = members.merging(text.members) }
        switch kind {
        case .combined: break
        case .relyingParty(let address):
            let line = try RelyingPartyIdentity(of: directory).line
            (members["relyingParty"], members["secondAuthority"]) = (line, address)
            lines += Self.wayToSecondHost(address, line)
        case .authority:
            members["role"] = kind.role.rawValue
            lines.append("It contains one master share, for this relying party only.")
        }
        lines.append("Next: \(options.line(kind.role.serve(options.directory)))")
        if kind.role != .authority { lines.append("Then, for each user: \(options.line("invite USER"))") }
        try options.output.succeed(lines.joined(separator: "\n"), members)
        if !isShownByCaller { directory.recoveryKeyWasShown() }
    }

    private static func wayToSecondHost(_ address: String, _ line: String) -> [String] {
        [
            "Copy this line to the host of \(address):", line, "On that host, run:",
            "mpin-server init --relying-party \(line)",
            "mpin-server \(ServerRole.authority.serve(""))",
        ]
    }
}

/// The options of `init` for a server whose two authorities are on two hosts.
struct TwoHostOptions: ParsableArguments {
    @Option(
        name: .customLong("second-authority"),
        help: .value("url", "Leave the second authority to a host with this address."))
    var secondAuthority: String?

    @Option(
        name: .customLong("relying-party"),
        help: .value("line", "Create only that authority, for the relying party whose init printed this line."))
    var relyingParty: String?

    func kind(publicURL: String?) throws(ServerError) -> NewServer {
        if let relyingParty {
            guard secondAuthority == nil, publicURL == nil else {
                throw ServerError(
                    .usage, "--relying-party cannot be used together with --second-authority or --public-url",
                    hint: "Clients learn the authority's address from the relying party.")
            }
            return .authority(try RelyingPartyIdentity(line: relyingParty))
        }
        guard let secondAuthority else { return .combined }
        return .relyingParty(
            secondAuthority: try SecondAuthority.checked(secondAuthority, at: "--second-authority"))
    }
}
