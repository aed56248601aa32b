// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

/// How a command or a server uses the storage.
package enum StorageAccess: Sendable {
    case reading, writing
    /// - Parameters:
    ///   - patience: how long a write waits while another process holds the lock of an SQLite database.
    ///   - onCommit: called with the duration of each commit.
    case serving(patience: Duration, onCommit: @Sendable (Duration) -> Void)
}

/// The storage of a server: the SQLite database in its directory, or the PostgreSQL database that its settings name.
extension ServerDirectory {
    package func storage(_ access: StorageAccess) throws(ServerError) -> ServerStorage {
        let configuration = try readConfiguration()
        var onCommit: @Sendable (Duration) -> Void = { _ in }
        var patience = Duration.seconds(4)
        if case .serving(let wait, let call) = access { (patience, onCommit) = (wait, call) }
        if let address = configuration.database {
            return try ServerStorage(
                address, password: configuration.databasePassword, newest: timeline, onCommit: onCommit)
        }
        if case .reading = access { return try ServerStorage(reading: database) }
        return try ServerStorage(path: database, patience: patience, onCommit: onCommit)
    }

    /// Makes the storage of a new server.
    ///
    /// - Parameter state: the directory of an SQLite database.
    func makeStorage(in state: String) throws(ServerError) -> ServerStorage {
        let configuration = try readConfiguration()
        if let address = configuration.database {
            return try ServerStorage(
                address, password: configuration.databasePassword, newest: timeline, creates: true)
        }
        let database = Self.database(in: state)
        // SQLite creates files according to the umask, which belongs to the whole process, but gives companion files the
        // mode of the database.
        try PrivateFile.make(database)
        return try ServerStorage.create(path: database)
    }

    /// Whether the storage is a database on another server, which has its own backups.
    package var isStoredElsewhere: Bool { (try? readConfiguration())?.database != nil }

    /// - Throws: ``ServerError`` if PostgreSQL stores the server.
    func demandSQLite(_ hint: String) throws(ServerError) {
        guard isStoredElsewhere else { return }
        throw ServerError(.configuration, "PostgreSQL stores this server, as the setting 'database' says", hint: hint)
    }
}

extension ServerConfiguration {
    var databasePassword: String? {
        get throws(ServerError) {
            try databasePasswordFile.map { path throws(ServerError) in try SecretFile.line(path) }
        }
    }
}
