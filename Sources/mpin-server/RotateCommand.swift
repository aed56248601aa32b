// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage
import ShellSyntax

struct RotateCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the sealing key and all derived keys.",
        discussion: """
            Stop the server first. Enrollments, open invitations and the secrets of hosts stay valid. The master shares do not change: an \
            attacker with an old backup and its key can still make tokens. The SSH CA does not change either. Replace it: \
            ssh disable, ssh enable, and the new script on every host.
            """)

    @OptionGroup var options: Options

    func run() throws {
        let directory = try options.serverDirectory
        let rotation = try KeyRotation.run(
            directory,
            showing: directory.keyPlace == .tpm ? options.output.recoveryKeyDisplay() : nil,
            actor: Options.actor)
        let recovery = RecoveryKeyText(rotation.recovery)
        let opener = recovery == nil ? "" : " (on another machine: the previous recovery key)"
        let role = directory.role ?? .combined
        var lines =
            role == .authority
            ? ["\(rotation.file): a new key. The master share does not change."]
            : [
                "\(rotation.file): a new key. Enrollments, invitations and hosts do not change.",
                "Registrations that wait for a mail or for verify_url must start again.",
            ]
        if directory.isStoredElsewhere {
            lines.append("Every other node needs the new key. Run there: mpin-server join --key FILE")
        }
        lines.append("Older backups open only with the old key: \(rotation.former)\(opener)")
        if recovery != nil {
            let restore = options.line("restore --key \(ShellWord.quoted(rotation.former)) BACKUP")
            lines.append("Restore an older backup on this machine: \(restore)")
        }
        if !directory.isStoredElsewhere { lines.append("Make a new backup: \(options.line("backup FILE"))") }
        lines.append("Delete the older backups. Then delete the old key: rm \(ShellWord.operand(rotation.former))")
        lines += role.otherHost
        var members: Members = [
            "dir": options.directory, "formerKey": rotation.former, "role": role.rawValue,
        ]
        if let recovery { members = members.merging(recovery.members) }
        try options.output.succeed(lines.joined(separator: "\n"), members)
        if recovery != nil { directory.recoveryKeyWasShown() }
    }
}
