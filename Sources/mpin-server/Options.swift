import ArgumentParser
import Foundation
import MPinServer

/// What every administrative command takes.
struct Options: ParsableArguments {
    @Option(
        name: .customLong("dir"), help: ArgumentHelp("The server's directory.", valueName: "directory"),
        completion: .directory)
    var directory = CommandLineText.standardDirectory

    @Option(
        help: ArgumentHelp(
            "The configuration file. Default: /etc/mpin/server.conf for /var/lib/mpin-server, else server.conf in the directory.",
            valueName: "file"),
        completion: .file())
    var config: String?

    @Flag(help: "Print exactly one JSON object.")
    var json = false

    /// A command line of this program for the same server.
    func line(_ command: String) -> String { CommandLineText.line(command, directory: directory, config: config) }

    var output: Output { Output(json: json, line: line) }

    var serverDirectory: ServerDirectory { ServerDirectory(directory, configuration: config) }

    /// Who acts, for the audit log.
    static var actor: String { "uid \(getuid())" }

    /// Says so where nobody has seen the recovery key of the server.
    func warnOfUnshownKey() {
        guard let name = serverDirectory.unshownRecoveryKey else { return }
        Output.warn(RecoveryKeyText.unshown(name, command: line("reseal")))
    }

    /// - Parameter isRoleOpen: whether the command makes sense for an authority by itself too.
    func administrator(ofAnyRole isRoleOpen: Bool = false) throws -> Administrator {
        let administrator = try Administrator(
            serverDirectory, ofAnyRole: isRoleOpen, configuration: config, actor: Self.actor)
        warnOfUnshownKey()
        return administrator
    }
}
