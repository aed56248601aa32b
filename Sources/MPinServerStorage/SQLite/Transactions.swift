// SPDX-License-Identifier: Apache-2.0
internal import GRDB
import Synchronization

/// Runs transactions with the required durability, and with a timeout while another process holds the lock of the
/// database.
///
/// The first write that finds the lock held waits for it. The writes behind it wait only briefly, because their
/// timeouts would add up.
final class Transactions: Sendable {
    /// Milliseconds that a write waits while the lock is known to be held.
    private static let briefly = 2
    /// How long the lock is assumed to be held after it was last found held.
    private static let memory = Duration.seconds(1)

    private struct Modes {
        var lastFoundLocked: ContinuousClock.Instant?
        /// Its `busy_timeout` and `synchronous`; nil while they are unknown. A PRAGMA runs only if it changes them.
        var busyTimeout: Int?
        var level: String?
    }

    /// Milliseconds that the first write waits.
    private let patience: Int
    private let modes = Mutex(Modes())
    /// Called with the duration of each commit.
    private let onCommit: @Sendable (Duration) -> Void

    init(patience: Duration, onCommit: @escaping @Sendable (Duration) -> Void) {
        self.patience = Int(patience / .milliseconds(1))
        self.onCommit = onCommit
    }

    /// Runs a write in a transaction of its own.
    ///
    /// - Throws: what the write throws, or SQLite's `SQLITE_BUSY` while another process holds the lock.
    func run<T>(_ durability: Durability, in database: Database, _ body: (Database) throws -> T) throws -> T {
        let level = durability == .disk ? "FULL" : "NORMAL"
        try prepare(database, level: level)
        do {
            try database.beginTransaction(.immediate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            modes.withLock { $0.lastFoundLocked = .now }
            throw error
        }
        modes.withLock { $0.lastFoundLocked = nil }
        do {
            let value = try body(database)
            let start = ContinuousClock.now
            try database.commit()
            onCommit(.now - start)
            return value
        } catch {
            // A disk error may have rolled it back already.
            if database.isInsideTransaction { try? database.rollback() }
            throw error
        }
    }

    private func prepare(_ database: Database, level: String) throws {
        let (wait, current) = modes.withLock { modes in
            var wait = patience
            if let found = modes.lastFoundLocked, .now - found < Self.memory { wait = Self.briefly }
            defer { (modes.busyTimeout, modes.level) = (nil, nil) }
            return (wait, (timeout: modes.busyTimeout, level: modes.level))
        }
        if current.timeout != wait { try database.execute(sql: "PRAGMA busy_timeout = \(wait)") }
        if current.level != level { try database.execute(sql: "PRAGMA synchronous = \(level)") }
        modes.withLock { ($0.busyTimeout, $0.level) = (wait, level) }
    }
}
