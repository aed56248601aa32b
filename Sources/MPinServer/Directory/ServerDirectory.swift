// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import MPinCrypto
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// The directory with all of a server's state, which only its owner can access.
package struct ServerDirectory: Sendable {
    /// The path as the caller gave it.
    package let path: String

    /// The directory of the server that is installed on this host.
    package static let installed = "/var/lib/mpin-server"
    package static let installedConfiguration = "/etc/mpin/server.conf"

    /// The settings that replace the directory's own; nil for those.
    private let chosenConfiguration: String?

    package init(_ path: String, configuration: String? = nil) {
        self.path = path
        chosenConfiguration = configuration
    }

    /// The database. While it is in use, SQLite keeps two more files next to it.
    package var database: String { Self.database(in: state) }
    /// The administrator's settings, which may be missing.
    package var configuration: String { path == Self.installed ? Self.installedConfiguration : "\(path)/server.conf" }
    /// The lock that a running server holds.
    var lock: String { "\(path)/serve.lock" }
    /// The newest PostgreSQL primary that was used.
    var timeline: String { "\(path)/timeline" }

    /// Checks that the directory was initialized, and that only the caller can access it.
    ///
    /// - Throws: ``ServerError`` of kind `configuration` or `notPermitted`.
    func check(demandsKey: Bool = true) throws(ServerError) {
        let hint =
            path == Self.installed
            ? "Run: sudo mpin-server setup"
            : "Check --dir. Or create a server there: mpin-server init --dir \(ShellWord.quoted(path))"
        let directory: FileFacts
        switch FileFacts.of(path) {
        case .success(let facts): directory = facts
        case .failure(let error): throw error.fault("the directory \(path)", hint: hint)
        }
        guard directory.isDirectory else {
            throw ServerError(.configuration, "\(path) is not a directory", hint: "Check --dir.")
        }
        try directory.demandPrivate(path)
        // Nothing here is opened by another user than the owner, and not by root either.
        try demandOwner()
        let place = demandsKey ? keyPlace : nil
        guard !demandsKey || place != nil || !FileFacts.isThere(database) else { throw databaseAlone }
        let isElsewhere = isStoredElsewhere
        for file in (isElsewhere ? [] : [database]) + (place.map { [file(of: $0)] } ?? []) {
            switch FileFacts.of(file) {
            case .success(let facts):
                guard facts.isFile else { throw ServerError(.configuration, "\(file) is not a regular file") }
                try facts.demandPrivate(file)
            case .failure(let error):
                // The setting 'database' may be one of those that are wrong.
                _ = try readConfiguration()
                let restore = "Restore a backup: mpin-server restore FILE --dir \(ShellWord.quoted(path))"
                if let former = movedDatabase {
                    throw ServerError(
                        .configuration, "PostgreSQL stores this server, but no setting says where",
                        hint: "Set 'database' in \(configuration). The state before the move is in \(former)")
                }
                throw error.fault(file, hint: FileFacts.isThere(state) ? restore : hint)
            }
        }
        // SQLite opens these itself, and would wait for the other end of a named pipe.
        for suffix in ["-wal", "-shm", "-journal"] { try RegularFile.check(database + suffix) }
    }

    /// The SQLite database that `move` has renamed; nil if there is none.
    private var movedDatabase: String? {
        let names = (try? Directory.names(in: path)) ?? []
        return names.first { $0.hasPrefix("mpin.sqlite.before-") }.map { "\(path)/\($0)" }
    }

    package var isInitialized: Bool { keyPlace != nil && (isStoredElsewhere || FileFacts.isThere(database)) }

    /// The role of the server here; nil if there is none, or if it cannot be read.
    package var role: ServerRole? {
        guard (try? check(demandsKey: false)) != nil else { return nil }
        return try? storage(.reading).role()
    }

    /// Whether devices without a key can log in here, unless the settings refuse them; nil if that is unknown.
    package var hasDevicesWithoutKey: Bool? {
        guard (try? check(demandsKey: false)) != nil else { return nil }
        return try? storage(.reading).hasDevicesWithoutKey()
    }

    /// The fingerprint of the server's key. Only reads the database.
    package func fingerprint() throws(ServerError) -> String {
        try check(demandsKey: false)
        let key = try storage(.reading).serverPublicKey()
        guard let key, let fingerprint = try? KeyFingerprint(of: key) else {
            throw ServerError(.configuration, "the server in \(path) has no key", hint: "A second authority has none.")
        }
        return fingerprint.text
    }

    /// Creates the directory without access for others, unless it exists.
    func make() throws(ServerError) -> FileFacts {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let reason = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO
            throw ServerError(
                .cannotCreate, "cannot create the directory \(path): \(SystemError(reason).text)",
                hint: "Choose another directory, or create it for the server's account: "
                    + "sudo install -d -o ACCOUNT -m 0700 \(ShellWord.operand(path))")
        }
        guard let facts = FileFacts(of: path), facts.isDirectory else {
            throw ServerError(.cannotCreate, "\(path) is not a directory")
        }
        return facts
    }

    /// The error for a database without the key that opens its secrets. `init` would refuse, and no other key opens
    /// this database.
    private var databaseAlone: ServerError {
        let (key, directory) = (file(of: .file), ShellWord.quoted(path))
        return ServerError(
            .configuration, "\(key) is missing, and \(database) cannot be used without it",
            hint: """
                Copy seal.key back for the owner of \(path):
                sudo install -o OWNER -m 0600 COPY \(ShellWord.operand(key))
                If the key was sealed to a TPM, run: mpin-server reseal --recovery-key-file - --dir \(directory)
                (add --seal file if this machine has no TPM)
                Or restore a backup with its own key: mpin-server restore --key KEYFILE FILE --dir \(directory)
                """)
    }

    /// Reads `server.conf`, or another file instead.
    ///
    /// - Parameter file: a file that must exist; nil for the one in the directory, which may be missing.
    package func readConfiguration(file: String? = nil) throws(ServerError) -> ServerConfiguration {
        let (configuration, faults) = try readWholeConfiguration(file: file)
        if let fault = faults.first { throw fault }
        return configuration
    }

    /// Reads all settings.
    func readWholeConfiguration(
        file: String? = nil
    ) throws(ServerError) -> (configuration: ServerConfiguration, faults: [ServerError]) {
        let file = file ?? chosenConfiguration
        let name = file ?? configuration
        var (configuration, faults) = (ServerConfiguration(), [ServerError]())
        for name in name == Self.installedConfiguration ? try SettingsDirectory.files() : [] {
            let read = ConfigurationFile.read(try Self.settings(name), name: name, over: configuration)
            configuration = read.configuration
            faults += read.faults
        }
        if file == nil, case .failure(let error) = FileFacts.of(name), error.number == ENOENT {
            return (configuration, faults)
        }
        let hint =
            file == nil
            ? "If it is a link, restore its target, or delete the link." : "Give --config an existing file, or omit it."
        let read = ConfigurationFile.read(try Self.settings(name, hint: hint), name: name, over: configuration)
        return (read.configuration, faults + read.faults)
    }

    private static func settings(_ name: String, hint: String = "") throws(ServerError) -> String {
        try FileFacts.demandUnalterable(name)
        let bytes = try RegularFile.read(name, hint: hint)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServerError(.configuration, "\(name) is not UTF-8")
        }
        return text
    }

    /// The settings in `/etc/mpin`, for a command that applies them as root. Ignores what another account can change.
    ///
    /// - Throws: ``ServerError`` if a file or directory is writable for others than root, or is a link.
    package static func readRootConfiguration() throws(ServerError) -> ServerConfiguration {
        try demandRoot("/etc/mpin")
        try demandRoot(SettingsDirectory.path)
        for file in try SettingsDirectory.files() { try demandRoot(file) }
        try demandRoot(installedConfiguration)
        return try ServerDirectory(installed).readConfiguration()
    }

    private static func demandRoot(_ path: String) throws(ServerError) {
        guard let facts = FileFacts(of: path) else { return }
        guard facts.owner == 0, facts.isFile || facts.isDirectory, facts.mode & 0o022 == 0 else {
            throw ServerError(
                .configuration, "users other than root can change \(path), so root does not use it",
                hint: "Check its content. Root must own it, with mode 0644 (directory: 0755). It must not be a link.")
        }
    }
}
