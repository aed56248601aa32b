// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// The options that name the server.
struct DirectoryOptions: ParsableArguments {
    @Option(name: .customLong("dir"), help: .value("directory", "Server directory."), completion: .directory)
    var directory = ServerDirectory.installed

    @Option(help: .value("file", "Settings file instead of the usual server.conf."), completion: .file())
    var config: String?

    /// The server's directory, which no command opens in another way.
    var serverDirectory: ServerDirectory {
        get throws(ServerError) { try Self.enter(directory, configuration: config) }
    }

    /// Opens a server's directory. Root becomes its owner, for good.
    static func enter(_ path: String, configuration: String? = nil) throws(ServerError) -> ServerDirectory {
        _ = Options.actor
        try DirectoryOwner(of: path).become()
        return ServerDirectory(path, configuration: configuration)
    }

    /// Opens files outside the directory with the caller's permissions.
    ///
    /// - Parameters:
    ///   - paths: the files. If the owner of the directory decides which file is at one of them, that account opens it.
    ///   - open: opens one of them. Its second argument is whether the owner decides.
    func open<File>(_ paths: [String], _ open: (String, Bool) throws(ServerError) -> File) throws(ServerError) -> [File]
    {
        let owner = try DirectoryOwner(of: directory)
        let owners = paths.filter(owner.decides)
        var files: [String: File] = [:]
        for path in paths where !owners.contains(path) { files[path] = try open(path, false) }
        if !owners.isEmpty { _ = try serverDirectory }
        for path in owners { files[path] = try open(path, true) }
        return paths.compactMap { files[$0] }
    }
}

/// Options that all administrative commands have.
struct Options: ParsableArguments {
    @OptionGroup var place: DirectoryOptions

    @Flag(help: "Print exactly one JSON object.") var json = false

    var directory: String { place.directory }
    var config: String? { place.config }

    func line(_ command: String, file: String? = nil) -> String { output.line(command, file: file) }

    var output: Output { Output(json: json, directory: directory, config: config) }

    var serverDirectory: ServerDirectory { get throws(ServerError) { try place.serverDirectory } }

    /// The caller, for the audit log: `kim (sudo)`, or the account of this process. It is read before root becomes another
    /// user. A caller who names another person could also write to the log itself.
    static let actor: String = {
        if let person = ProcessInfo.processInfo.environment["SUDO_USER"], unsafe getpwnam(person) != nil {
            return "\(person) (sudo)"
        }
        return FileFacts.account(getuid()) ?? "uid \(getuid())"
    }()

    /// Why the installed server does not run, as far as systemd knows it; nil for another directory.
    var failure: String? { directory == ServerDirectory.installed ? ServiceFailure.reason : nil }

    /// The hint that starts the server.
    var startLine: String {
        directory == ServerDirectory.installed && (try? SetupCommand.hasUnit()) == true
            ? "Start it: sudo systemctl start \(SetupCommand.unit)"
            : "Start it: " + line((try? serverDirectory.role ?? .combined)?.serve(directory) ?? "serve")
    }

    func warnOfUnshownKey() {
        guard let name = try? serverDirectory.unshownRecoveryKey else { return }
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
