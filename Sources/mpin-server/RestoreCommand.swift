import ArgumentParser
import CommandSyntax
import MPinServer

/// Puts a backup in the place of the database.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup in the place of the database. The server must not run.",
        discussion: """
            Undoes everything since the backup: wrong PINs that were counted, blocks, revocations and used codes too. The \
            database from before is kept.
            """)

    @Argument(help: "A file that 'backup' has made.", completion: .file()) var file: String
    @Option(
        help: ArgumentHelp(
            "The key of the backup, where the one that is there is another. Without any there, FILE.key by default.",
            valueName: "file"),
        completion: .file())
    var key: String?
    @Option(
        name: .customLong("recovery-key-file"),
        help: ArgumentHelp(
            "In place of --key a file with the recovery key, or - to type it or have it from a pipe.", valueName: "file"
        ),
        completion: .file())
    var recoveryKeyFile: String?
    @Option(
        help: ArgumentHelp(
            "Where the key is to lie that the recovery key stands for: tpm, sealed to this machine, or file. Default: tpm.",
            valueName: "place"))
    var seal: OwnKeyPlace?
    @Flag(help: "Restore a backup that has no MAC. Use it only if no other user could alter the file.")
    var unauthenticated = false
    @OptionGroup var options: Options

    /// What becomes of the devices that have a key now and had none then.
    private func lostKeys(_ lost: LostDeviceKeys?) -> String {
        let way = "Invite their users (\(options.line("invite USER"))), who then run there: mpin-enroll recover"
        guard let lost else {
            return
                "A device that has got its key since then cannot log in any more, and has to be enrolled again.\n\(way)"
        }
        guard lost.count > 0 else { return "No device has lost its key by this." }
        return
            "\(lost.count) registration(s) have no device key in the backup, and had one: their devices cannot log in any "
            + "more.\nThey are of: \(lost.users.joined(separator: ", "))\n\(way)"
    }

    /// What holds for the second authority where that is on another host.
    private static func otherHost(_ role: ServerRole) -> String {
        guard role == .relyingParty else { return "" }
        return """

            The second authority on its host stays as it is. Where the relying party's key was renewed since then, nobody can
            be enrolled until it is renewed again: mpin-server relying-party renew
            """
    }

    func run() throws {
        let seal = try seal?.checked()
        guard recoveryKeyFile != nil || seal == nil else {
            throw ServerFault(
                .usage, "--seal says where the key of --recovery-key-file is to lie, and stands with that alone",
                hint: "Restore without it, and then run: \(options.line("reseal"))")
        }
        guard recoveryKeyFile == nil || key == nil else {
            throw ServerFault(.usage, "--key and --recovery-key-file are two ways to name one key")
        }
        let restored = try Restoration.run(
            options.serverDirectory, from: file, key: key,
            recovery: recoveryKeyFile.map { RecoveryKeySource(file: $0, place: seal ?? .tpm) },
            takesUnauthenticated: unauthenticated, actor: Options.actor)
        var members: [String: Any] = ["dir": options.directory, "taken": restored.taken]
        members["before"] = restored.before
        var lines = ["\(options.directory) is as it was at \(restored.taken)."]
        if let before = restored.before { lines.append("The database from before is kept as \(before)") }
        if restored.usedLoginsAreUnknown {
            members["usedLoginsKnown"] = false
            lines.append(
                """
                That database could not be read, so only the clock and the backup tell which signed logins are used up.
                If this machine's clock was ahead since the backup, the server may accept a login from that time again.
                """)
        }
        members["lostDeviceKeys"] = restored.lostDeviceKeys?.count
        members["lostDeviceKeyUsers"] = restored.lostDeviceKeys?.users
        if restored.role == .authority {
            lines.append("Next: \(options.line("serve --role authority --listen ADDRESS"))")
            return options.output.succeed(lines.joined(separator: "\n"), members)
        }
        lines.append(
            """
            Undone is everything since: wrong PINs that were counted, blocks, revocations, used codes. Whoever was revoked
            or blocked since then can log in again, and who was enrolled since then cannot.
            \(lostKeys(restored.lostDeviceKeys))\(Self.otherHost(restored.role))
            See who is there, and revoke again: \(options.line("user list"))
            Next: \(options.line("serve --listen unix:/run/mpin/server.sock"))
            """)
        options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
