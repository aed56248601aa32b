// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// The tables in one SQLite database, which several processes may use at the same time.
final class SQLiteEngine: StorageEngine {
    enum Access { case creating, writing, reading }

    private let pool: DatabasePool
    /// Writes of logins, which share their commits.
    private let group: GroupCommit
    private let transactions: Transactions

    /// - Throws: ``ServerError`` of kind `storage` or `configuration`. Then nothing is changed in the database.
    init(
        path: String, access: Access, patience: Duration, onCommit: @escaping @Sendable (Duration) -> Void
    ) throws(ServerError) {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(4)
        configuration.maximumReaderCount = 8
        configuration.label = "mpin-server"
        configuration.readonly = access == .reading
        if access != .creating {
            // Before GRDB changes anything in it.
            configuration.prepareDatabase { try Schema.check($0, name: path) }
        }
        do {
            pool = try DatabasePool(path: path, configuration: configuration)
            transactions = Transactions(patience: patience, onCommit: onCommit)
            group = GroupCommit(pool: pool, transactions: transactions)
            // The pool sets NORMAL, with which a power failure may lose a commit.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            if access == .creating { try pool.write(Schema.create) }
        } catch let fault as ServerError { throw fault } catch { throw Self.fault(error, path) }
    }

    let isShared = false
    let primary: String? = nil

    func lookForPrimary() {}

    var waitingWrites: Int { group.length }

    func read<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        do { return try pool.read { try body(SQLiteConnection($0)) } } catch { throw Self.fault(error) }
    }

    func readOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        do { return try pool.unsafeRead { try body(SQLiteConnection($0)) } } catch { throw Self.fault(error) }
    }

    func write<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result {
        do {
            return try pool.writeWithoutTransaction {
                try transactions.run(.disk, in: $0) { try body(SQLiteConnection($0)) }
            }
        } catch { throw Self.fault(error) }
    }

    func append(_ body: @escaping @Sendable (any Connection) throws -> Void) throws(ServerError) { try write(body) }

    func writeLogin<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result { try group.write(durability, body) }

    func writeLoginOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result?
    ) throws(ServerError) -> Result? { nil }

    func overwriteDeleted() throws(ServerError) { try execute("PRAGMA secure_delete = ON") }

    /// Empties the write-ahead log, which has copies of deleted content.
    func finishOverwriting() { try? execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    private func execute(_ sql: String) throws(ServerError) {
        do { try pool.writeWithoutTransaction { try $0.execute(sql: sql) } } catch { throw Self.fault(error) }
    }

    func copy(to path: String, mark: Parameters) throws(ServerError) {
        do {
            try pool.vacuum(into: path)
            let copy = try DatabaseQueue(path: path)
            try copy.writeWithoutTransaction { database in
                // The copy is a single file, regardless of the files next to the original.
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try SQLiteConnection(database).execute(ServerStorage.setting, mark)
            }
            try copy.close()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw ServerError.diskFull(path)
        } catch { throw Self.fault(error) }
    }

    /// Writes everything into the one file and closes it.
    func close() throws(ServerError) {
        do {
            if !pool.configuration.readonly { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
            try pool.close()
        } catch { throw Self.fault(error) }
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
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged(reason, path)
        default: ServerError(.storage, "the database failed: \(reason)")
        }
    }
}

extension ServerStorage {
    /// Opens an existing SQLite database.
    ///
    /// - Parameters:
    ///   - patience: how long a write waits while another process holds the lock.
    ///   - onCommit: called with the duration of each commit.
    /// - Throws: ``ServerError`` of kind `storage` or `configuration`. Then nothing is changed in the database.
    package convenience init(
        path: String, patience: Duration = .seconds(4), onCommit: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ServerError) {
        self.init(try SQLiteEngine(path: path, access: .writing, patience: patience, onCommit: onCommit))
    }

    package convenience init(reading path: String) throws(ServerError) {
        self.init(try SQLiteEngine(path: path, access: .reading, patience: .seconds(4), onCommit: { _ in }))
    }

    package static func create(path: String) throws(ServerError) -> ServerStorage {
        ServerStorage(try SQLiteEngine(path: path, access: .creating, patience: .seconds(4), onCommit: { _ in }))
    }
}
