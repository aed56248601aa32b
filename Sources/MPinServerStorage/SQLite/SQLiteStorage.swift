// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The durable state of a server in one SQLite database, which several processes may use at the same time.
///
/// Each operation is one transaction that contains its conditions. Unless stated otherwise, its writes are durable when
/// it returns. Nothing is cached: a change that an administrator makes while the server runs applies to the next
/// request.
package final class SQLiteStorage: Sendable {
    let pool: DatabasePool
    package let place: String
    /// Writes of logins, which share their commits.
    let group: GroupCommit
    private let transactions: Transactions

    /// Opens an existing database.
    ///
    /// - Parameters:
    ///   - patience: how long a write waits while another process holds the lock.
    ///   - onCommit: called with the duration of each commit.
    /// - Throws: ``ServerError`` of kind `storage` or `configuration`. Then nothing is changed in the database.
    package convenience init(
        path: String, patience: Duration = .seconds(4), onCommit: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ServerError) { try self.init(path: path, access: .writing, patience: patience, onCommit: onCommit) }

    package convenience init(reading path: String) throws(ServerError) {
        try self.init(path: path, access: .reading, patience: .seconds(4), onCommit: { _ in })
    }

    package static func create(path: String) throws(ServerError) -> SQLiteStorage {
        try SQLiteStorage(path: path, access: .creating, patience: .seconds(4), onCommit: { _ in })
    }

    private enum Access { case creating, writing, reading }

    private init(
        path: String, access: Access, patience: Duration, onCommit: @escaping @Sendable (Duration) -> Void
    ) throws(ServerError) {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(4)
        configuration.maximumReaderCount = 8
        configuration.label = "mpin-server"
        configuration.readonly = access == .reading
        configuration.prepareDatabase { $0.add(function: SQLiteStorage.mailbox) }
        if access != .creating {
            // Before GRDB changes anything in it.
            configuration.prepareDatabase { try Schema.check($0, name: path) }
        }
        place = path
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            transactions = Transactions(patience: patience, onCommit: onCommit)
            group = GroupCommit(pool: pool, transactions: transactions)
            // The pool sets NORMAL, with which a power failure may lose a commit.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            if access == .creating { try pool.write(Schema.create) }
        } catch let fault as ServerError { throw fault } catch { throw Self.fault(error, path) }
    }

    package var waitingWrites: Int { group.length }

    /// Writes a value that nothing reads. Fails if a login could not be written either: the disk is full, the storage
    /// is read-only or damaged, or another process has locked it.
    package func checkWriting() throws(ServerError) {
        // A new value each time, because SQLite does not write a page whose content is the same.
        try write {
            try $0.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('check', hex(randomblob(16)))")
        }
    }

    /// Writes everything into the one file and closes it.
    package func close() throws(ServerError) {
        do {
            if !pool.configuration.readonly { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
            try pool.close()
        } catch { throw Self.fault(error) }
    }

    /// Reads in one snapshot.
    func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws(ServerError) -> T {
        do { return try pool.read(body) } catch { throw Self.fault(error) }
    }

    /// Reads with a single statement, which is a snapshot by itself.
    func readOnce<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws(ServerError) -> T {
        do { return try pool.unsafeRead(body) } catch { throw Self.fault(error) }
    }

    /// Writes in one transaction, which is durable when this returns.
    func write<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws(ServerError) -> T {
        do { return try pool.writeWithoutTransaction { try transactions.run(.disk, in: $0, body) } } catch {
            throw Self.fault(error)
        }
    }

    static func exists(
        _ rows: String, _ arguments: StatementArguments = StatementArguments(), in database: Database
    ) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(rows))")
        return try Bool.fetchOne(statement, arguments: arguments) ?? false
    }

    /// Runs a part of a transaction, and undoes it if it returns nil.
    static func undoingNil<T>(in database: Database, _ body: () throws -> T?) throws -> T? {
        var value: T?
        try database.inSavepoint {
            value = try body()
            return value == nil ? .rollback : .commit
        }
        return value
    }

    static func fault(_ error: any Error, _ path: String = "the database") -> ServerError {
        if let fault = error as? ServerError { return fault }
        guard let error = error as? DatabaseError else { return ServerError(.storage, "the database failed") }
        let reason = error.message ?? "unknown"
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            ServerError(
                .unavailable, "another process has locked the database; nothing was changed",
                hint: "Try again. To find the process, run 'sudo fuser -v' with the path of the database.")
        case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            ServerError(.notPermitted, "the database is not writable: \(reason)")
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            ServerError(.storage, "\(path) is damaged: \(reason)", next: "restore FILE")
        default: ServerError(.storage, "the database failed: \(reason)")
        }
    }
}
