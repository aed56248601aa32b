// SPDX-License-Identifier: Apache-2.0

/// What stores the tables.
///
/// A body may run more than once. Each further run begins after a rollback.
protocol StorageEngine: Sendable {
    /// Whether other servers may use the tables at the same time.
    var isShared: Bool { get }

    /// The host of the database that accepts writes; nil if this is a file.
    var primary: String? { get }

    /// Starts to look for a newer primary, unless the database has one host. Returns at once.
    func lookForPrimary()

    /// How many writes of logins wait for their turn, or how many operations for a connection.
    var waitingWrites: Int { get }

    /// Reads in one snapshot.
    func read<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result

    /// Reads with a single statement, which is a snapshot by itself.
    func readOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result

    /// Writes in one transaction, which is durable when this returns. No other such transaction runs at the same time,
    /// in any process.
    func write<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result

    /// Inserts rows that no condition of another transaction depends on, durably. Does not wait for other writes if
    /// that is possible.
    func append(_ body: @escaping @Sendable (any Connection) throws -> Void) throws(ServerError)

    /// Writes in one transaction. Next to it only other logins write, so a body must not use what they change of other
    /// registrations. If its result is lost, it runs again, so a repeated body must have the same result, and write
    /// something, so that its commit waits as long as the first.
    func writeLogin<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (any Connection) throws -> Result
    ) throws(ServerError) -> Result

    /// Writes with a single statement, which waits for the disk unless it says otherwise.
    ///
    /// - Returns: the result of the body; nil as well if a row that it inserts exists already, or if a single statement
    ///   is no faster with this engine. Then it has changed nothing, but an earlier run of it may have.
    func writeLoginOnce<Result: Sendable>(
        _ body: @Sendable (any Connection) throws -> Result?
    ) throws(ServerError) -> Result?

    /// From now on, this process overwrites deleted content, instead of only removing it from the tables.
    func overwriteDeleted() throws(ServerError)

    /// Removes copies of deleted content. Without success, a later write does it.
    func finishOverwriting()

    /// Copies a consistent snapshot into an empty file, and marks it with a setting.
    func copy(to path: String, mark: Parameters) throws(ServerError)

    func close() throws(ServerError)
}
