// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import GRDB
import Synchronization

/// Group commit: writes that arrive during a commit wait and become part of the next one together.
///
/// Each commit waits for the disk, and commits are serial. They have no thread of their own: a writer that finds no
/// commit in progress commits all waiting writes. Then it wakes one of the writers that have arrived since, which does
/// the same.
final class GroupCommit: Sendable {
    private struct Entry: Sendable {
        let durability: Durability
        /// May run more than once. Each further run begins after a rollback.
        let body: @Sendable (any Connection) throws -> Void
        let result = Box<ServerError?>()
        /// Wakes the thread that waits for this write, to commit or because the write is done.
        let turn = DispatchSemaphore(value: 0)

        func end(_ fault: ServerError?) {
            result.set(fault)
            turn.signal()
        }
    }

    private struct Queue {
        var entries: [Entry] = []
        var isAtWork = false

        /// - Returns: whether no commit was in progress. If so, it is the caller's turn.
        mutating func add(_ entry: Entry) -> Bool {
            entries.append(entry)
            defer { isAtWork = true }
            return !isAtWork
        }
    }

    /// A statement of one write failed. The other writes of the group are retried without it.
    private struct BodyError: Error { let reason: any Error }

    private let pool: DatabasePool
    private let transactions: Transactions
    private let queue = Mutex(Queue())

    init(pool: DatabasePool, transactions: Transactions) {
        self.pool = pool
        self.transactions = transactions
    }

    var length: Int { queue.withLock(\.entries.count) }

    /// Writes with others in one transaction, and waits until it is committed.
    ///
    /// - Parameter body: the write. It may run more than once, and must not use the group.
    func write<T: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (any Connection) throws -> T
    ) throws(ServerError) -> T {
        let value = Box<T>()
        let entry = Entry(durability: durability, body: { value.set(try body($0)) })
        if !queue.withLock({ $0.add(entry) }) { entry.turn.wait() }
        if entry.result.get() == nil {
            commitWaiting()
            passOn()
        }
        if let fault = entry.result.get() ?? nil { throw fault }
        guard let value = value.get() else { throw ServerError(.storage, "the database failed") }
        return value
    }

    private final class Box<T: Sendable>: Sendable {
        private let value = Mutex<T?>(nil)
        func set(_ new: T) { value.withLock { $0 = new } }
        func get() -> T? { value.withLock { $0 } }
    }

    /// Ends the caller's turn: wakes the first thread that waits.
    private func passOn() {
        let next = queue.withLock { queue in
            queue.isAtWork = !queue.entries.isEmpty
            return queue.entries.first
        }
        next?.turn.signal()
    }

    /// Commits the writes that wait when the database is free.
    private func commitWaiting() {
        pool.writeWithoutTransaction { database in
            let entries = queue.withLock { queue in
                defer { queue.entries = [] }
                return queue.entries
            }
            guard let fault = commit(entries, in: database) else { return entries.forEach { $0.end(nil) } }
            guard entries.count > 1, fault is BodyError else {
                return entries.forEach { $0.end(Self.serverFault(fault)) }
            }
            for entry in entries { entry.end(commit([entry], in: database).map(Self.serverFault)) }
        }
    }

    /// Commits writes together, and waits for the disk if one of them requires it.
    ///
    /// - Returns: the error if nothing was written; nil if everything was.
    private func commit(_ entries: [Entry], in database: Database) -> (any Error)? {
        let durability: Durability = entries.contains { $0.durability == .disk } ? .disk : .process
        do {
            try transactions.run(durability, in: database) { database in
                let connection = SQLiteConnection(database)
                for entry in entries { do { try entry.body(connection) } catch { throw BodyError(reason: error) } }
            }
            return nil
        } catch { return error }
    }

    private static func serverFault(_ error: any Error) -> ServerError {
        SQLiteEngine.fault((error as? BodyError)?.reason ?? error)
    }
}
