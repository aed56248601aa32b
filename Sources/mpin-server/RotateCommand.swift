import ArgumentParser
import CommandSyntax
import MPinServer

/// Makes a new sealing key.
struct RotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Make a new sealing key, and new keys for every purpose. The server must not run.",
        discussion: """
            Enrollments, open invitations and the secrets of hosts stay good. The master shares stay what they are: who \
            has had both a backup and the key of that time can make tokens for ever.
            """)

    @OptionGroup var options: Options

    func run() throws {
        let rotation = try KeyRotation.run(
            options.serverDirectory,
            showing: options.serverDirectory.keyPlace == .tpm ? options.output.recoveryKeyDisplay() : .withAnswer,
            actor: Options.actor)
        let recovery = RecoveryKeyText(rotation.recovery)
        let opener = recovery == nil ? "" : " (elsewhere with the recovery key from before)"
        let role = options.serverDirectory.role ?? .combined
        var lines =
            role == .authority
            ? ["\(rotation.file) is new. The master share stays what it is."]
            : [
                "\(rotation.file) is new. Enrollments, invitations and hosts stay as they are.",
                "Registrations that wait for a mail or for the site's application have to ask again.",
            ]
        lines.append("Backups from before open only with the old key, which is kept: \(rotation.former)\(opener)")
        if recovery != nil {
            let restore = options.line("restore --key \(ShellWord.quoted(rotation.former)) BACKUP")
            lines.append("To restore one of them on this machine: \(restore)")
        }
        lines += [
            "Next, a backup for the new key: \(options.line("backup FILE"))",
            "Then delete the old key with the old backups: rm \(ShellWord.operand(rotation.former))",
        ]
        lines += role.otherHost
        var members: [String: Any] = [
            "dir": options.directory, "formerKey": rotation.former, "role": role.rawValue,
        ]
        members.merge(recovery?.members ?? [:]) { $1 }
        options.output.succeed(lines.joined(separator: "\n"), members)
        if recovery != nil { options.serverDirectory.recoveryKeyWasShown() }
    }
}
