// SPDX-License-Identifier: Apache-2.0

/// The durable state of a server, which several processes may use at the same time.
///
/// Each operation is one transaction that contains its conditions. Unless stated otherwise, its writes are durable when
/// it returns. Nothing is cached: a change that an administrator makes while the server runs applies to the next
/// request.
package final class ServerStorage: Sendable {
    private let engine: any StorageEngine

    init(_ engine: any StorageEngine) { self.engine = engine }

    /// Whether other servers may use the database at the same time.
    package var isShared: Bool { engine.isShared }

    /// The host of the PostgreSQL database that accepts writes; nil for SQLite.
    package var primary: String? { engine.primary }

    /// Starts to look for a newer primary among the hosts of a PostgreSQL database. Returns at once.
    package func lookForPrimary() { engine.lookForPrimary() }

    package var waitingWrites: Int { engine.waitingWrites }

    /// Writes a value that nothing reads. Fails if a login could not be written either: the disk is full, the storage
    /// is read-only or damaged, or another process has locked it.
    package func checkWriting() throws(ServerError) {
        // A new value each time, because SQLite does not write a page whose content is the same.
        try append { try Self.set("check", to: String(UInt64.random(in: 0 ... .max)), in: $0) }
    }

    /// Writes everything that is not written yet, and closes the database.
    package func close() throws(ServerError) { try engine.close() }

    /// Reads in one snapshot.
    package func read<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result { try engine.read(body) }

    /// Reads with a single statement, which is a snapshot by itself.
    func readOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result { try engine.readOnce(body) }

    /// Writes in one transaction, which is durable when this returns.
    package func write<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result { try engine.write(body) }

    /// Writes rows that no condition of another transaction depends on, durably. With PostgreSQL, it does not wait for
    /// other writes.
    func append(_ body: @escaping @Sendable (any Connection) throws -> Void) throws(ServerError) {
        try engine.append(body)
    }

    /// Writes what a login changes: rows of one registration. Logins write at the same time.
    func writeLogin<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result { try engine.writeLogin(durability, body) }

    /// Writes what a login changes with a single statement, if that is faster.
    func writeLoginOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result?
    ) throws(ServerError) -> Result? { try engine.writeLoginOnce(body) }

    /// From now on, this process overwrites deleted content, instead of only removing it from the tables.
    func overwriteDeleted() throws(ServerError) { try engine.overwriteDeleted() }

    /// Removes copies of deleted content. Without success, a later write does it.
    func finishOverwriting() { engine.finishOverwriting() }

    /// Copies a consistent snapshot into an empty file. Other processes may write at the same time.
    package func copy(to path: String, mark: Timestamp) throws(ServerError) {
        try engine.copy(to: path, mark: [Self.backupMark, mark.zulu])
    }
}
