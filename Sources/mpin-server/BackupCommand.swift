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
            lines.append(
                "It holds no key, and is worth nothing without one. Keep a copy of \(options.directory)/seal.key apart")
            lines.append("from it (once: only 'rotate' changes it). Keep both from others.")
        }
        let configuration = options.config ?? options.serverDirectory.configuration
        if FileManager.default.fileExists(atPath: configuration) { lines.append("\(configuration) is not in it.") }
        lines.append(
            "To use it: "
                + CommandLineText.line("restore", file: file, directory: options.directory, config: options.config))
        options.output.succeed(lines.joined(separator: "\n"), members)
    }
}
