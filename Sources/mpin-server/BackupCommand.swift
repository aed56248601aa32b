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
            Do not use 'cp': it misses changes that are still in SQLite's log. The backup contains no key. Keep one \
            copy of seal.key elsewhere, and copy it again after 'rotate', or after 'restore' with another key.

            Example: sudo mpin-server backup /root/monday.backup
            """)

    @Argument(help: "The file to create. It must not exist yet.", completion: .file()) var file: String
    @Flag(name: .customLong("with-key"), help: "Copy the key too, to FILE.key.") var withKey = false
    @OptionGroup var options: Options

    /// Sentences that name the key that opens the backup, if the backup has no copy of the key beside it.
    private func opener(_ backup: Backup, _ role: ServerRole) -> [String] {
        switch (backup.place, backup.authentication) {
        case (.file, .key):
            [
                "The backup contains no key, and cannot be restored without one. Keep a copy of",
                "\(backup.keyFile) in another place. 'rotate' changes this key.",
                "Protect both: anyone with both \(role.danger).",
            ]
        case (.tpm, .key(let name)):
            [
                "The backup contains no key. On this machine the TPM opens it, with \(backup.keyFile).",
                "On any other machine, only the recovery key \(name) opens it.",
            ]
        case (_, .none):
            [
                "The backup contains no key. To restore it, you need this database's key, or its recovery key"
                    + (backup.recoveryKeyName.map { " (\(backup.keyFile) has \($0))." } ?? ".")
            ]
        }
    }

    /// A warning that the backup has no MAC; nil if it has one.
    private static func warning(_ backup: Backup) -> String? {
        guard case .none(let reason) = backup.authentication else { return nil }
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
        // The hint works in every directory.
        let path = FileName.absolute(file)
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
        members["recoveryKeyName"] = backup.recoveryKeyName
        if let warning { Output.warn(warning) }
        let configuration = options.config ?? directory.configuration
        if FileFacts(target: configuration) != nil { lines.append("The backup does not contain \(configuration).") }
        let restore = warning == nil ? "restore" : "restore --unauthenticated"
        lines.append("Restore it, while the server is stopped: " + options.line(restore, file: path))
        members["role"] = role.rawValue
        lines += role.otherHost
        options.warnOfUnshownKey()
        try options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
