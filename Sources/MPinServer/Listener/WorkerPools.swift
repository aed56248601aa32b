// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import MPinServerRoles
internal import NIOCore
internal import NIOPosix

/// The thread pools on which requests may block without delaying connections: one for each request class, one for upkeep,
/// and one that watches a shared database.
struct WorkerPools: Sendable {
    private struct Pool: Sendable {
        let threads: NIOThreadPool
        let waiting = Places()
    }

    private let pools: [RequestClass: Pool]
    private let upkeep = NIOThreadPool(numberOfThreads: 1)
    private let watch = NIOThreadPool(numberOfThreads: 1)

    /// Makes the threads and starts them.
    ///
    /// - Parameter isShared: whether the database is on another host, so that each thread of a login needs a connection.
    init(isShared: Bool) {
        let count = max(8, 2 * System.coreCount)
        // Logins wait for the disk twice. Those that wait together share a commit.
        let logins = isShared ? 32 : max(24, count)
        pools = Dictionary(
            uniqueKeysWithValues: RequestClass.allCases.filter { $0 != .immediate }.map {
                ($0, Pool(threads: NIOThreadPool(numberOfThreads: $0 == .verifying ? logins : count)))
            })
        for pool in pools.values { pool.threads.start() }
        upkeep.start()
        watch.start()
    }

    /// Runs work in the pool of a request class, or on this thread if the class has none.
    func run<T: Sendable>(_ requestClass: RequestClass, _ body: @escaping @Sendable () throws -> T) async throws -> T {
        guard let pool = pools[requestClass] else { return try body() }
        // Released also if the work is canceled before its turn.
        let place = pool.waiting.take()
        return try await pool.threads.runIfActive {
            place?.leave()
            return try body()
        }
    }

    /// How many requests of each class wait for a thread.
    var waiting: [RequestClass: Int] { pools.mapValues(\.waiting.count) }

    /// Runs work in the upkeep thread, so that no request waits for it.
    func keepUp(_ body: @escaping @Sendable () -> Void) async throws { try await upkeep.runIfActive(body) }

    /// Runs work in a thread that waits for no request, even while a database makes all others wait.
    func watch(_ body: @escaping @Sendable () -> Void) async throws { try await watch.runIfActive(body) }

    func shutDown() async throws {
        for pool in pools.values { try await pool.threads.shutdownGracefully() }
        try await upkeep.shutdownGracefully()
        try await watch.shutdownGracefully()
    }
}

/// Runs the task of a connection on the thread of its event loop, which saves two context switches at each step.
///
/// Work that blocks or takes long must leave that thread, as with ``WorkerPools``.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
