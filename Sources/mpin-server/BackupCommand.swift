import ArgumentParser
import CommandSyntax
import Foundation
import MPinServer

/// Copies the database while the server runs.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database into one file, while the server runs or not.",
        discussion: """
            A copy by 'cp' lacks what SQLite still has in its log. The file ends with a MAC, by which 'restore' notices that \
            the file was altered; the running server computes it, or else this command. The file holds no key: \
            seal.key changes with 'rotate' alone, so one copy of it, kept apart, serves for all backups.
            """)

    @Argument(help: "The file to make. It must not be there yet.", completion: .file()) var file: String
    @Flag(name: .customLong("with-key"), help: "Copy the key too, to FILE.key.") var withKey = false
    @OptionGroup var options: Options

    /// Which key opens it, where that is not beside it.
    private func opener(_ backup: Backup) -> [String] {
        switch backup.place {
        case .file:
            guard FileManager.default.fileExists(atPath: backup.keyFile ?? "") else {
                return [
                    "It holds no key, and \(options.directory) has none. 'restore' needs a copy of the key of this",
                    "database, or its recovery key.",
                ]
            }
            return [
                "It holds no key, and is worth nothing without one. Keep a copy of \(options.directory)/seal.key apart",
                "from it (once: only 'rotate' changes it). Keep both from others.",
            ]
        case .credential:
            return [
                "It holds no key, and is worth nothing without one: that is a credential, which systemd opens on this host",
                "alone. Keep a copy of the key apart from it. Keep both from others.",
            ]
        case .tpm:
            return Self.opener(backup.authentication, backup.keyFile ?? "", name: backup.recoveryKeyName)
        }
    }

    /// Which key opens a backup of a server whose key is in the TPM.
    private static func opener(_ authentication: Backup.Authentication, _ file: String, name: String?) -> [String] {
        switch authentication {
        case .key(let name):
            [
                "It holds no key. It is opened on this machine by the TPM, with \(file), and elsewhere by the",
                "recovery key \(name) alone.",
            ]
        case .closedKey(let reason):
            [
                "It holds no key. The recovery key \(name ?? "of \(file)") opens it, if \(file) belongs to this database;",
                "that could not be tried: \(reason)",
            ]
        case .foreignKey:
            [
                "It holds no key, and \(file) is none for it: the recovery key \(name ?? "") does not open it.",
                "What opens it is the recovery key of this database, which 'reseal --recovery-key-file -' puts back here.",
            ]
        }
    }

    /// Why nothing will show whether the backup was altered; nil where its MAC does.
    private static func warning(_ backup: Backup) -> String? {
        let reason: String
        switch backup.authentication {
        case .key: return nil
        case .foreignKey: reason = "the key in this directory is not that of the database"
        case .closedKey(let text): reason = text
        }
        return """
            the backup has no MAC, because no key could be opened for it
            Reason: \(reason)
            Nothing will show whether the file was altered: keep it where no other user can write.
            'mpin-server restore' takes it only with: --unauthenticated
            """
    }

    func run() throws {
        let backup = try Backup.take(
            of: options.serverDirectory, to: file, withKey: withKey, actor: Options.actor)
        var members: [String: Any] = ["file": file, "taken": backup.taken]
        members["key"] = backup.key
        var lines = ["\(file): the database of \(options.directory) as it was at \(backup.taken)"]
        if let key = backup.key {
            lines.append("\(key): the key of the master shares in it")
            lines.append("Whoever has both files can make a token for anybody. Keep them apart, and both from others.")
        } else {
            lines += opener(backup)
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
        let configuration = options.config ?? options.serverDirectory.configuration
        if FileManager.default.fileExists(atPath: configuration) { lines.append("\(configuration) is not in it.") }
        let restore = warning == nil ? "restore" : "restore --unauthenticated"
        lines.append(
            "To use it: "
                + CommandLineText.line(restore, file: file, directory: options.directory, config: options.config))
        let role = options.serverDirectory.role ?? .combined
        members["role"] = role.rawValue
        lines += role.otherHost
        options.warnOfUnshownKey()
        options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
