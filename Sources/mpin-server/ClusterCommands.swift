// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPinServer
import MPinServerStorage
import ShellSyntax

struct JoinCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Make this host a node of a server on PostgreSQL.",
        discussion: """
            First set 'database' in server.conf. The sealing key is state/seal.key in the directory of another node. An \
            attacker with the key and access to the database can do everything that the server can.

            Example: sudo mpin-server join --key seal.key
            """)

    @Option(help: .value("file", "A copy of another node's key file."), completion: .file()) var key: String?
    @Option(
        name: .customLong("recovery-key-file"),
        help: .value("file", "File with the recovery key, or - for standard input."),
        completion: .file()) var recoveryKeyFile: String?
    @Option(help: .value("place", "Where to keep the key.")) var seal = KeyPlace.file
    @OptionGroup var options: Options

    func run() throws {
        guard (key == nil) != (recoveryKeyFile == nil) else {
            throw ServerError(.usage, "give either --key FILE or --recovery-key-file FILE")
        }
        if options.directory == ServerDirectory.installed, geteuid() == 0 {
            var steps = SetupSteps(json: options.json)
            _ = try ServerAccount.make(&steps).make(directory: options.directory, mode: 0o700)
        }
        let paths = [key ?? RecoveryKeyFile.path(recoveryKeyFile)].compactMap(\.self)
        let file = try options.place.open(paths) { GivenFile($0, isOwners: $1) }.first
        let directory = try options.serverDirectory
        let input: Joining.Key
        if key != nil, let file { input = .file(file) } else { input = .recovery(RecoveryKeyFile(file: file).read) }
        let joining = try Joining.run(directory, key: input, to: seal, actor: Options.actor)
        let start =
            options.directory == ServerDirectory.installed && !SetupCommand.isEnabled
            ? "Next: sudo mpin-server setup" : options.startLine
        let former = joining.formerState.map { "The former key is kept in \($0)" }
        let lines = [
            "\(joining.node) is a node of the server \(joining.fingerprint)",
            "The sealing key is in \(joining.keyFile)", former, start,
        ].compactMap(\.self)
        try options.output.succeed(
            lines.joined(separator: "\n"),
            [
                "dir": options.directory, "node": joining.node, "fingerprint": joining.fingerprint,
                "key": joining.keyFile, "former": joining.formerState,
            ])
    }
}

struct MoveCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move this server's data from SQLite to PostgreSQL.",
        discussion: """
            Stop the server, and set 'database' in server.conf to an empty database. Copies everything in one transaction \
            and compares all rows. If that fails, remove the setting to use SQLite as before.

            Example: sudo mpin-server move
            """)

    @OptionGroup var options: Options

    func run() throws {
        let move = try Move.run(options.serverDirectory, actor: Options.actor)
        let lines = [
            move.rows == 0
                ? "An earlier move had copied everything to the PostgreSQL database."
                : "The server is in the PostgreSQL database: \(counted(move.rows, "row")), all compared.",
            "The SQLite database is kept in \(move.former)",
            "It contains the state before the move. Delete it when you no longer need it:",
            "\(options.directory == ServerDirectory.installed ? "sudo " : "")rm \(ShellWord.operand(move.former))",
            options.startLine,
        ]
        try options.output.succeed(
            lines.joined(separator: "\n"), ["dir": options.directory, "rows": move.rows, "former": move.former])
    }
}
