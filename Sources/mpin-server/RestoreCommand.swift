// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage

struct RestoreCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the database with a backup.",
        discussion: """
            Stop the server first. Undoes everything since the backup, including counted wrong PINs, blocks, \
            revocations and used codes.
            """)

    @Argument(help: "A file made by 'backup'.", completion: .file()) var file: String
    @Option(
        help: .value("file", "The backup's key file (default: the server's key)."),
        completion: .file()) var key: String?
    @Option(
        name: .customLong("recovery-key-file"),
        help: .value("file", "File with the recovery key, or - for standard input."),
        completion: .file()) var recoveryKeyFile: String?
    @Option(help: .value("place", "Where to keep the key from now on."))
    var seal: KeyPlace?
    @Flag(help: "Accept a backup without a MAC (see the manual).") var unauthenticated = false
    @OptionGroup var options: Options

    private func otherHost(_ role: ServerRole) -> String {
        guard role == .relyingParty else { return "" }
        return """

            The second authority does not change. If the relying party's key was renewed after the backup, new devices
            cannot enroll. Renew it again: \(options.line("relying-party renew"))
            """
    }

    func run() throws {
        guard recoveryKeyFile == nil || key == nil else {
            throw ServerError(.usage, "--key and --recovery-key-file cannot be used together")
        }
        let paths = [file, file + ".key", key ?? RecoveryKeyFile.path(recoveryKeyFile)]
        let files = try options.place.open(paths.compactMap(\.self)) {
            GivenFile($0, isOwners: $1)
        }
        let given = files.count > 2 ? files[2] : nil
        let input = BackupInput(
            files[0], key: key == nil ? nil : given, beside: files[1],
            recovery: recoveryKeyFile == nil ? nil : RecoveryKeyFile(file: given).read)
        let (restored, before) = try Restoration.run(
            options.serverDirectory, from: input, to: seal, takesUnauthenticated: unauthenticated,
            actor: Options.actor)
        var members: Members = ["dir": options.directory, "taken": restored.taken, "key": restored.keyFile]
        members["before"] = before
        let directory = try options.serverDirectory
        let status = try? ServerStatus(of: directory, configuration: options.config)
        (members["users"], members["devices"]) = (status?.users.count, status?.devices.usable)
        var lines = ["\(options.directory) is restored to its state at \(Display.output.time(restored.taken))."]
        if let status, restored.role != .authority {
            let (users, devices) = (status.users.count, status.devices.usable)
            lines.append(
                "It has \(counted(users, "user")), with \(counted(devices, "device")) that can log in."
            )
        }
        lines.append("The sealing key is in \(restored.keyFile)")
        if let before { lines.append("The replaced database and its key are kept in \(before)") }
        if restored.usedLoginsAreUnknown {
            members["usedLoginsKnown"] = false
            lines.append(
                """
                The replaced database cannot be read.
                The server no longer knows which signed logins were used after the backup. If its clock was ahead
                at that time, a login might be accepted a second time.
                """)
        }
        if let fingerprint = restored.fingerprint {
            (members["fingerprint"], members["serverKeyChanged"]) = (fingerprint, restored.isServerKeyChanged)
        }
        if let fingerprint = restored.fingerprint, restored.isServerKeyChanged {
            lines.append(
                """
                The server proves itself with another key now, because the backup and the replaced database do not have
                the same key. Its fingerprint:
                \(fingerprint)
                Devices that know another key refuse this server. On each of them, the administrator runs:
                sudo mpin-enroll server trust \(fingerprint)
                """)
        }
        if restored.role != .authority {
            lines.append(
                """
                All later changes are undone: counted wrong PINs, blocks, revocations and used codes.
                Users who were revoked or blocked since then can log in again. Users who enrolled since then cannot.
                No other device has to enroll again.\(otherHost(restored.role))
                Repeat the revocations and 'ssh' commands made since the backup. List the users: \(options.line("user list"))
                """)
        }
        if options.directory == ServerDirectory.installed, restored.role != .authority, !SetupCommand.isEnabled {
            lines.append("Next: sudo mpin-server setup")
            lines.append("(with the --public-url options of the former host)")
        } else {
            lines.append(options.startLine)
        }
        try options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
