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
        let body: @Sendable (Database) throws -> Void
        let done: @Sendable (ServerError?) -> Void
        /// Wakes the thread that waits for this write, to commit or because the write is done; nil if no thread waits.
        let turn: DispatchSemaphore?
    }

    private struct Queue {
        var entries: [Entry] = []
        var isAtWork = false
        /// Whether to commit the writes for which no thread waits as well.
        var isUrgent = false

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
        _ durability: Durability, _ body: @escaping @Sendable (Database) throws -> T
    ) throws(ServerError) -> T {
        let value = Box<T>()
        let result = Box<ServerError?>()
        let turn = DispatchSemaphore(value: 0)
        let entry = Entry(
            durability: durability, body: { value.set(try body($0)) },
            done: {
                result.set($0)
                turn.signal()
            }, turn: turn)
        if !queue.withLock({ $0.add(entry) }) { turn.wait() }
        if result.get() == nil {
            commitWaiting { _ in true }
            passOn()
        }
        if let fault = result.get() ?? nil { throw fault }
        guard let value = value.get() else { throw ServerError(.storage, "the database failed") }
        return value
    }

    /// Leaves a write for the next commit, by any thread.
    ///
    /// - Parameters:
    ///   - body: the write. It may run more than once, and must not use the group.
    ///   - done: called with nil after the commit, or with the error. It must neither wait nor use the group.
    func leave(
        _ body: @escaping @Sendable (Database) throws -> Void, done: @escaping @Sendable (ServerError?) -> Void
    ) {
        let entry = Entry(durability: .process, body: body, done: done, turn: nil)
        queue.withLock { $0.entries.append(entry) }
    }

    /// Commits the writes that were left, in this thread or in the one that commits at the moment. Does not wait for
    /// the disk.
    func commitLeft() {
        let isMine = queue.withLock { queue in
            if queue.isAtWork { queue.isUrgent = true }
            guard !queue.isAtWork, !queue.entries.isEmpty else { return false }
            queue.isAtWork = true
            return true
        }
        guard isMine else { return }
        commitWaiting { $0.turn == nil }
        passOn()
    }

    private final class Box<T: Sendable>: Sendable {
        private let value = Mutex<T?>(nil)
        func set(_ new: T) { value.withLock { $0 = new } }
        func get() -> T? { value.withLock { $0 } }
    }

    /// Ends the caller's turn: wakes a thread that waits, or commits urgent writes.
    private func passOn() {
        while true {
            let (isDone, next) = queue.withLock { queue in
                let next = queue.entries.lazy.compactMap(\.turn).first
                queue.isAtWork = next != nil || queue.isUrgent && !queue.entries.isEmpty
                return (!queue.isAtWork, next)
            }
            if isDone { return }
            if let next {
                next.signal()
                return
            }
            commitWaiting { $0.turn == nil }
        }
    }

    /// Commits the writes that wait when the database is free.
    private func commitWaiting(_ isMeant: (Entry) -> Bool) {
        pool.writeWithoutTransaction { database in
            let entries = queue.withLock { queue in
                let meant = queue.entries.filter(isMeant)
                queue.entries.removeAll(where: isMeant)
                queue.isUrgent = false
                return meant
            }
            guard !entries.isEmpty else { return }
            guard let fault = commit(entries, in: database) else { return entries.forEach { $0.done(nil) } }
            guard entries.count > 1, fault is BodyError else {
                return entries.forEach { $0.done(Self.serverFault(fault)) }
            }
            for entry in entries { entry.done(commit([entry], in: database).map(Self.serverFault)) }
        }
    }

    /// Commits writes together, and waits for the disk if one of them requires it.
    ///
    /// - Returns: the error if nothing was written; nil if everything was.
    private func commit(_ entries: [Entry], in database: Database) -> (any Error)? {
        let durability: Durability = entries.contains { $0.durability == .disk } ? .disk : .process
        do {
            try transactions.run(durability, in: database) { database in
                for entry in entries { do { try entry.body(database) } catch { throw BodyError(reason: error) } }
            }
            return nil
        } catch { return error }
    }

    private static func serverFault(_ error: any Error) -> ServerError {
        SQLiteStorage.fault((error as? BodyError)?.reason ?? error)
    }
}
