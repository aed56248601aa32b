import ArgumentParser
import Foundation
import MPinServer

/// What every administrative command takes.
struct Options: ParsableArguments {
    @Option(name: .customLong("dir"), help: "The server's directory.")
    var directory = "/var/lib/mpin-server"

    @Option(help: "A configuration file in place of server.conf in the directory.")
    var config: String?

    @Flag(help: "Print exactly one JSON object.")
    var json = false

    var output: Output { Output(json: json) }

    var serverDirectory: ServerDirectory { ServerDirectory(directory) }

    /// Who acts, for the audit log.
    static var actor: String { "uid \(getuid())" }

    func administrator() throws -> Administrator {
        try Administrator(serverDirectory, configuration: config, actor: Self.actor)
    }
}
