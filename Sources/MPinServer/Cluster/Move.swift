// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// Moves a stopped server from SQLite to the PostgreSQL database that its settings name.
///
/// The commit there is the move: before it, the settings name a database without a server, which no server opens.
package struct Move: Sendable {
    package let rows: Int
    /// The new name of the SQLite database, which nothing uses any more.
    package let former: String

    package static func run(_ directory: ServerDirectory, actor: String) throws(ServerError) -> Move {
        try directory.check()
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let configuration = try directory.readConfiguration()
        guard let address = configuration.database else {
            throw ServerError(
                .configuration, "no database to move to is configured",
                hint: "Set in \(directory.configuration): database = postgresql://HOST/NAME")
        }
        let database = directory.database
        guard FileFacts.isThere(database) else {
            throw ServerError(.nothingToChange, "\(directory.path) contains no SQLite database")
        }
        let source = try ServerStorage(path: database)
        guard try source.role() != .authority else {
            throw ServerError(
                .configuration, "a second authority stays on SQLite", hint: "Remove the setting 'database'.")
        }
        // A key that does not belong to it would be useless there, too.
        _ = try directory.readKey(for: source)
        let now = ServerClock.system.now
        var rows = 0
        if try !isMoved(source, directory) {
            rows = try source.move(
                to: address, password: configuration.databasePassword, newest: directory.timeline,
                event: AuditEvent(.moved, at: now, actor: actor))
        }
        try source.close()
        let former = directory.unusedName(database, now)
        // SQLite may have left its two empty companions.
        for suffix in ["-shm", "-wal", ""] where FileFacts.isThere(database + suffix) {
            try PrivateFile.rename(database + suffix, to: former + suffix)
        }
        try PrivateFile.sync(directory.path)
        return Move(rows: rows, former: former)
    }

    /// Whether an earlier move was committed, and interrupted before it renamed the SQLite database.
    private static func isMoved(_ source: ServerStorage, _ directory: ServerDirectory) throws(ServerError) -> Bool {
        guard let target = try? directory.storage(.reading) else { return false }
        let (key, own) = (try target.serverPublicKey(), try source.serverPublicKey())
        guard key == own, let moved = try target.newestEventNumber(.moved) else { return false }
        // The move was the next event. A server that used the SQLite database again has recorded others there.
        return try moved == (source.newestEventNumber() ?? 0) + 1
    }
}
