import ArgumentParser
import CommandSyntax
import MPinServer

/// Puts the sealing key into another place.
struct ResealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal",
        abstract: "Seal the key to this machine's TPM, or put it into a file. The server must not run.",
        discussion: """
            The key stays the same, and so do backups and the recovery key. With the recovery key it opens a server whose \
            TPM was cleared or is gone.
            """)

    @Option(help: ArgumentHelp("Where the key is to lie: tpm or file.", valueName: "place")) var seal = OwnKeyPlace(
        .tpm)
    @Option(
        name: .customLong("recovery-key-file"),
        help: ArgumentHelp(
            "A file with the recovery key, or - to type it or have it from a pipe. Default: the key that is there.",
            valueName: "file"), completion: .file())
    var recoveryKeyFile: String?
    @OptionGroup var options: Options

    func run() throws {
        let seal = try seal.checked()
        let isShown = seal == .tpm && recoveryKeyFile == nil
        let resealing = try Resealing.run(
            options.serverDirectory, to: seal, recoveryFile: recoveryKeyFile,
            showing: isShown ? options.output.recoveryKeyDisplay() : .withAnswer, actor: Options.actor)
        var members: [String: Any] = ["dir": options.directory, "seal": seal.rawValue, "keyName": resealing.identifier]
        var lines = [
            seal == .tpm
                ? "\(resealing.file): the sealing key, sealed to the TPM of this machine."
                : "\(resealing.file): the sealing key. Whoever has this file and the database can make a token for anybody."
        ]
        if let text = RecoveryKeyText(resealing.recovery) {
            members.merge(text.members) { $1 }
            lines += [
                "", "What was deleted may still be on the disk, and in copies of it. For a key that never was there:",
                options.line("rotate"),
            ]
        }
        if seal == .tpm, !resealing.otherKeys.isEmpty {
            members["otherKeys"] = resealing.otherKeys
            lines += ["", "Keys that still lie here in the clear; each opens the backups of its time:"]
            lines += resealing.otherKeys.map { "  " + $0 }
            lines += [
                "Take those whose backups you keep to another place, and delete the others:",
                "rm \(resealing.otherKeys.map(ShellWord.operand).joined(separator: " "))", "",
            ]
        }
        lines.append("Next: \(options.line("serve --listen unix:/run/mpin/server.sock"))")
        options.output.succeed(lines.joined(separator: "\n"), members)
        options.serverDirectory.recoveryKeyWasShown()
    }
}

extension ServerFault {
    /// The fault of a command that cannot make a credential.
    static let onlySetup = ServerFault(
        .usage, "a credential is made by root, for the server that systemd runs on this host",
        hint: "Run: sudo mpin-server setup --seal credential")
}
