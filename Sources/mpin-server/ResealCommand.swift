// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import ShellSyntax

struct ResealCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "Move the sealing key to the TPM or to a file.",
        discussion: """
            Stop the server first. The key itself, the recovery key and all backups stay valid. If the TPM was cleared or lost, use \
            --recovery-key-file.
            """)

    @Option(help: .value("place", "Where to keep the key.")) var seal = KeyPlace.tpm
    @Option(
        name: .customLong("recovery-key-file"),
        help: .value("file", "File with the recovery key, or - for standard input (default: use the present key)."),
        completion: .file()) var recoveryKeyFile: String?
    @OptionGroup var options: Options

    func run() throws {
        let isShown = seal == .tpm && recoveryKeyFile == nil
        let files = try options.place.open([RecoveryKeyFile.path(recoveryKeyFile)].compactMap(\.self)) {
            GivenFile($0, isOwners: $1)
        }
        let directory = try options.serverDirectory
        let resealing = try Resealing.run(
            directory, to: seal, recoveryInput: recoveryKeyFile.map { _ in RecoveryKeyFile(file: files.first).read },
            showing: isShown ? options.output.recoveryKeyDisplay() : nil, actor: Options.actor)
        let role = directory.role ?? .combined
        var members: Members = ["dir": options.directory, "seal": seal.rawValue, "keyName": resealing.identifier]
        var lines = [
            seal == .tpm
                ? "The sealing key is in \(resealing.file), sealed to this machine's TPM."
                : "The sealing key is in \(resealing.file). Anyone with it and the database \(role.danger)."
        ]
        if let text = RecoveryKeyText(resealing.recovery) {
            members = members.merging(text.members)
            lines += [
                "", "The deleted key file may still be on the disk, and in copies of the disk. Make a new key:",
                options.line("rotate"),
            ]
        }
        if seal == .tpm, !resealing.otherKeys.isEmpty {
            members["otherKeys"] = resealing.otherKeys
            lines += [
                "", "These files still contain keys in the clear. Each key opens the backups made",
                "while it was in use:",
            ]
            lines += resealing.otherKeys.map { "  " + $0 }
            lines += [
                "First copy the keys that you still need for old backups to another place.", "Then delete them here:",
                "rm \(resealing.otherKeys.map(ShellWord.operand).joined(separator: " "))", "",
            ]
        }
        lines.append("Next: \(options.line(role.serve(options.directory)))")
        try options.output.succeed(lines.joined(separator: "\n"), members)
        directory.recoveryKeyWasShown()
    }
}

extension KeyPlace: ExpressibleByArgument {}
