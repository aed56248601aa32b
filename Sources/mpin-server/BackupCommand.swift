import ArgumentParser
import CommandSyntax
import Foundation
import MPinServer

/// Copies the database while the server runs.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database into one file, while the server runs or not.",
        discussion: """
            A copy by 'cp' lacks what SQLite still has in its log. The file holds no key: seal.key changes with 'rotate' alone, so one \
            copy of it, kept apart, serves for all backups.
            """)

    @Argument(help: "The file to make. It must not be there yet.", completion: .file()) var file: String
    @Flag(name: .customLong("with-key"), help: "Copy the key too, to FILE.key.") var withKey = false
    @OptionGroup var options: Options

    /// Which key opens it, where that is not beside it.
    private func opener(_ backup: Backup) -> [String] {
        switch backup.place {
        case .file:
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
            return Self.opener(backup.opener, backup.keyFile ?? "")
        }
    }

    /// The same of a key in the TPM.
    private static func opener(_ opener: RecoveryKeyOpener?, _ file: String) -> [String] {
        switch opener {
        case .verified(let name)?:
            return [
                "It holds no key. It is opened on this machine by the TPM, with \(file), and elsewhere by the",
                "recovery key \(name) alone.",
            ]
        case .unverified(let name, let reason)?:
            return [
                "It holds no key. The recovery key \(name) opens it, if \(file) belongs to this database;",
                "that could not be tried: \(reason)",
            ]
        case .foreign(let name)?:
            return [
                "It holds no key, and \(file) is none for it: the recovery key \(name) does not open it.",
                "What opens it is the recovery key of this database, which 'reseal --recovery-key-file -' puts back here.",
            ]
        case nil: return []
        }
    }

    func run() throws {
        let backup = try Backup.take(
            of: options.serverDirectory, to: file, withKey: withKey, actor: Options.actor)
        var members: [String: Any] = ["file": file, "taken": backup.takenText]
        members["key"] = backup.key
        var lines = ["\(file): the database of \(options.directory) as it was at \(backup.takenText)"]
        if let key = backup.key {
            lines.append("\(key): the key of the master shares in it")
            lines.append("Whoever has both files can make a token for anybody. Keep them apart, and both from others.")
        } else {
            lines += opener(backup)
        }
        members["openedBy"] = backup.place.rawValue
        switch backup.opener {
        case .verified(let name)?:
            (members["recoveryKeyName"], members["recoveryKeyTried"]) = (name, true)
        case .unverified(let name, _)?:
            (members["recoveryKeyName"], members["recoveryKeyTried"]) = (name, false)
        case .foreign?, nil: break
        }
        let configuration = options.config ?? options.serverDirectory.configuration
        if FileManager.default.fileExists(atPath: configuration) { lines.append("\(configuration) is not in it.") }
        lines.append(
            "To use it: "
                + CommandLineText.line("restore", file: file, directory: options.directory, config: options.config))
        let role = options.serverDirectory.role ?? .combined
        members["role"] = role.rawValue
        lines += role.otherHost
        options.warnOfUnshownKey()
        options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
