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
    /// The settings of that server.
    package static let installedConfiguration = "/etc/mpin/server.conf"

    /// The settings that replace the directory's own; nil for those.
    private let chosenConfiguration: String?

    package init(_ path: String, configuration: String? = nil) {
        self.path = path
        chosenConfiguration = configuration
    }

    /// The database. While it is in use, SQLite keeps two more files next to it.
    package var database: String { "\(path)/mpin.sqlite" }
    /// The key that seals the master shares. It is not in the database, so that a copy of the database alone is
    /// useless.
    var key: String { "\(path)/seal.key" }
    /// The database while `init` makes it.
    var unfinishedDatabase: String { "\(database).new" }
    /// The settings in the directory, which may be missing.
    var ownConfiguration: String { "\(path)/server.conf" }
    /// The administrator's settings, which may be missing. Those of the installed server are with all other settings,
    /// in ``installedConfiguration``, unless they are still in its directory.
    package var configuration: String {
        path == Self.installed && FileFacts.isThere(Self.installedConfiguration)
            ? Self.installedConfiguration : ownConfiguration
    }
    /// The lock that a running server holds.
    var lock: String { "\(path)/serve.lock" }

    /// Checks that the directory was initialized, and that only the caller can access it.
    ///
    /// - Parameter demandsKey: whether the key must exist as well.
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
        try settleRestoration()
        if isKeyAlone { throw keyAlone }
        guard FileFacts.isThere(database) || !FileFacts.isThere(unrestoredDatabase) else {
            throw ServerError(
                .configuration, "a restore into \(path) was interrupted before it created a server",
                hint: "Restore the backup again: mpin-server restore FILE --dir \(ShellWord.quoted(path))")
        }
        let place = demandsKey ? keyPlace : nil
        guard !demandsKey || place != nil || !FileFacts.isThere(database) else { throw databaseAlone }
        for file in [database] + (place.map { [file(of: $0)] } ?? []) {
            switch FileFacts.of(file) {
            case .success(let facts):
                guard facts.isFile else { throw ServerError(.configuration, "\(file) is not a regular file") }
                try facts.demandPrivate(file)
            case .failure(let error): throw error.fault(file, hint: hint)
            }
        }
        // SQLite opens these itself, and would wait for the other end of a named pipe.
        for suffix in ["-wal", "-shm", "-journal"] { try RegularFile.check(database + suffix) }
    }

    /// Whether `init` has made a server here.
    package var isInitialized: Bool { FileFacts.isThere(database) && keyPlace != nil }

    /// The role of the server here; nil if there is none, or if it cannot be read.
    package var role: ServerRole? {
        guard FileFacts.isThere(database) else { return nil }
        return try? SQLiteStorage(reading: database).role()
    }

    /// The fingerprint of the server's key. Only reads the database.
    package func fingerprint() throws(ServerError) -> String {
        try check(demandsKey: false)
        let key = try SQLiteStorage(reading: database).serverPublicKey()
        guard let key, let fingerprint = try? KeyFingerprint(of: key) else {
            throw ServerError(.configuration, "the server in \(path) has no key", hint: "A second authority has none.")
        }
        return fingerprint.text
    }

    /// Whether there is a key without its database.
    var isKeyAlone: Bool {
        guard keyPlace != nil, case .failure(let error) = FileFacts.of(database) else { return false }
        return error.number == ENOENT
    }

    /// Creates the directory without access for others, unless it exists.
    ///
    /// - Returns: its facts.
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
        let directory = ShellWord.quoted(path)
        return ServerError(
            .configuration, "\(key) is missing, and \(database) cannot be used without it",
            hint: """
                Copy seal.key back for the owner of \(path):
                sudo install -o OWNER -m 0600 COPY \(ShellWord.operand(key))
                Or restore a backup with its own key: mpin-server restore --key KEYFILE --dir \(directory) FILE
                If the key was sealed to a TPM, run: mpin-server reseal --recovery-key-file - --dir \(directory)
                (add --seal file if this machine has no TPM)\(keptKeys)
                """)
    }

    /// The error for a key without its database. Nothing is removed: if the database was lost, the key opens a backup
    /// of it.
    var keyAlone: ServerError {
        ServerError(
            .configuration, "\(path) contains a key but no database: it was lost, or 'init' was interrupted",
            hint: """
                If you have a backup, run: mpin-server restore FILE --dir \(ShellWord.quoted(path))
                Otherwise: rm \(ShellWord.operand(file(of: keyPlace ?? .file))) && mpin-server init --dir \(ShellWord.quoted(path))
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
    ///
    /// - Returns: the settings, and all errors in them.
    func readWholeConfiguration(
        file: String? = nil
    ) throws(ServerError) -> (configuration: ServerConfiguration, faults: [ServerError]) {
        let file = file ?? chosenConfiguration
        let name = file ?? configuration
        if file == nil { try demandOneConfiguration() }
        var (configuration, faults) = (ServerConfiguration(), [ServerError]())
        let isInstalled = name == Self.installedConfiguration || file == nil && path == Self.installed
        for name in isInstalled ? try SettingsDirectory.files() : [] {
            let read = ConfigurationFile.read(try Self.settings(name), name: name, over: configuration)
            configuration = read.configuration
            faults += read.faults
        }
        if file == nil, case .failure(let error) = FileFacts.of(name), error.number == ENOENT {
            return (configuration, faults)
        }
        if file == nil, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name),
            !FileManager.default.fileExists(atPath: name)
        {
            throw ServerError(
                .configuration, "\(name) is a link to \(target), which does not exist",
                hint: "To use the defaults, run: sudo touch \(ShellWord.operand(target))")
        }
        let read = ConfigurationFile.read(try Self.settings(name), name: name, over: configuration)
        return (read.configuration, faults + read.faults)
    }

    /// The text of a file of settings.
    private static func settings(_ name: String) throws(ServerError) -> String {
        try FileFacts.demandUnalterable(name)
        let bytes = try RegularFile.read(name, hint: "Give --config an existing file, or omit it.")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServerError(.configuration, "\(name) is not UTF-8")
        }
        return text
    }

    /// Refuses two files of settings, because one of them would be ignored silently. The one in the directory may be a
    /// link to the other.
    private func demandOneConfiguration() throws(ServerError) {
        guard configuration != ownConfiguration, let own = FileIdentity(of: ownConfiguration),
            own != FileIdentity(of: configuration)
        else { return }
        throw ServerError(
            .configuration, "there are two configuration files: \(configuration) and \(ownConfiguration)",
            hint: """
                Copy the settings that you need into \(configuration), then run: \
                mv \(ownConfiguration) \(ownConfiguration).before
                """)
    }
}
