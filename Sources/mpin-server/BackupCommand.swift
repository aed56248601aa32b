// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

struct BackupCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the database. The server may be running.",
        discussion: """
            Do not use 'cp': it misses changes that are still in SQLite's log. The backup ends with a MAC, so \
            'restore' can detect that it was altered. If the server is running, it computes the MAC; otherwise, \
            this command does. The backup contains no key. Keep one copy of seal.key elsewhere, and copy it again \
            after 'rotate', or after 'restore' with another key.

            Example: sudo mpin-server backup /root/monday.backup
            """)

    @Argument(help: "The file to create. It must not exist yet.", completion: .file()) var file: String
    @Flag(name: .customLong("with-key"), help: "Copy the key too, to FILE.key.") var withKey = false
    @OptionGroup var options: Options

    /// Sentences that name the key that opens the backup, if the backup has no copy of the key beside it.
    private func opener(_ backup: Backup, _ role: ServerRole) -> [String] {
        switch backup.place {
        case .file:
            guard case .key = backup.authentication else {
                return ["The backup contains no key. To restore it, you need this database's key, or its recovery key."]
            }
            return [
                "The backup contains no key, and cannot be restored without one. Keep a copy of",
                "\(options.directory)/seal.key in another place. 'rotate' changes this key.",
                "Protect both: anyone with both \(role.danger).",
            ]
        case .tpm: return opener(backup.authentication, backup.keyFile, name: backup.recoveryKeyName)
        }
    }

    /// Sentences that name the key that opens a backup of a server whose key is in the TPM.
    private func opener(_ authentication: Backup.Authentication, _ file: String, name: String?) -> [String] {
        switch authentication {
        case .key(let name):
            [
                "The backup contains no key. On this machine the TPM opens it, with \(file).",
                "On any other machine, only the recovery key \(name) opens it.",
            ]
        case .closedKey(let reason):
            [
                "The backup contains no key. If \(file) belongs to this database, the recovery key",
                "\(name ?? "of \(file)") opens the backup. This could not be verified: \(reason)",
            ]
        case .foreignKey:
            [
                "The backup contains no key. \(file) and "
                    + (name.map { "the recovery key \($0)" } ?? "its recovery key") + " do not open it.",
                "Only this database's own recovery key does. To use that key here again, run:",
                options.line("reseal --recovery-key-file -"),
            ]
        }
    }

    /// A warning that the backup has no MAC; nil if it has one.
    private static func warning(_ backup: Backup) -> String? {
        let reason: String
        switch backup.authentication {
        case .key: return nil
        case .foreignKey: reason = "the key in this directory does not belong to the database"
        case .closedKey(let text): reason = text
        }
        return """
            the backup has no MAC, because its key could not be opened
            Reason: \(reason)
            No later check can detect that the file was altered. Keep it where no other user can write.
            To restore it, use: --unauthenticated
            """
    }

    func run() throws {
        let targets = try options.place.open([file] + (withKey ? [file + ".key"] : [])) { path, _ throws(ServerError) in
            try BackupTarget(path)
        }
        let backup = try Backup.take(
            of: options.serverDirectory, to: targets[0], key: withKey ? targets[1] : nil, actor: Options.actor)
        let directory = try options.serverDirectory
        let role = directory.role ?? .combined
        var members: Members = ["file": file, "taken": backup.taken]
        members["key"] = backup.key
        var lines = ["\(file): backup of \(options.directory), taken at \(backup.taken)"]
        if let key = backup.key {
            lines.append("\(key): the key of this backup")
            lines.append("Anyone with both files \(role.danger). Store them separately, and protect both.")
        } else {
            lines += opener(backup, role)
        }
        members["openedBy"] = backup.place.rawValue
        let warning = Self.warning(backup)
        members["authenticated"] = warning == nil
        if backup.place == .tpm {
            switch backup.authentication {
            case .key(let name): (members["recoveryKeyName"], members["recoveryKeyTried"]) = (name, true)
            case .closedKey: (members["recoveryKeyName"], members["recoveryKeyTried"]) = (backup.recoveryKeyName, false)
            case .foreignKey: break
            }
        }
        if let warning { Output.warn(warning) }
        let configuration = options.config ?? directory.configuration
        if FileFacts(target: configuration) != nil { lines.append("The backup does not contain \(configuration).") }
        let restore = warning == nil ? "restore" : "restore --unauthenticated"
        lines.append(
            "Restore it: " + options.line(restore, file: file))
        members["role"] = role.rawValue
        lines += role.otherHost
        options.warnOfUnshownKey()
        try options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
