// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer

/// The options that name the server.
struct DirectoryOptions: ParsableArguments {
    @Option(name: .customLong("dir"), help: .value("directory", "The server's directory."), completion: .directory)
    var directory = CommandLineText.standardDirectory

    @Option(
        help: .value(
            "file", "The configuration file (default: /etc/mpin/server.conf, or DIR/server.conf with --dir DIR)."),
        completion: .file()) var config: String?
}

/// Options that all administrative commands have.
struct Options: ParsableArguments {
    @OptionGroup var place: DirectoryOptions

    @Flag(help: "Print exactly one JSON object.") var json = false

    var directory: String { place.directory }
    var config: String? { place.config }

    /// A command line of this program for the same server.
    func line(_ command: String) -> String { CommandLineText.line(command, directory: directory, config: config) }

    var output: Output { Output(json: json, line: line) }

    var serverDirectory: ServerDirectory { ServerDirectory(directory, configuration: config) }

    /// The caller, for the audit log.
    static var actor: String { "uid \(getuid())" }

    /// Warns if the server's recovery key has not been shown.
    func warnOfUnshownKey() {
        guard let name = serverDirectory.unshownRecoveryKey else { return }
        Output.warn(RecoveryKeyText.unshown(name, command: line("reseal")))
    }

    /// - Parameter isRoleOpen: whether the command also works on a second authority.
    func administrator(ofAnyRole isRoleOpen: Bool = false) throws -> Administrator {
        let administrator = try Administrator(
            serverDirectory, ofAnyRole: isRoleOpen, configuration: config, actor: Self.actor)
        warnOfUnshownKey()
        return administrator
    }
}
