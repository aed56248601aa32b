internal import HummingbirdCore
internal import NIOCore
internal import NIOPosix

/// The thread pools on which requests may block without stopping connections: one for each request class, and one for
/// upkeep.
struct WorkerPools: Sendable {
    private let pools: [RequestClass: NIOThreadPool]
    private let upkeep = NIOThreadPool(numberOfThreads: 1)

    /// Makes the threads and starts them.
    init() {
        let count = max(8, 2 * System.coreCount)
        pools = Dictionary(
            uniqueKeysWithValues: RequestClass.allCases.filter { $0 != .immediate }.map {
                ($0, NIOThreadPool(numberOfThreads: count))
            })
        for pool in pools.values { pool.start() }
        upkeep.start()
    }

    /// Runs work in the pool of a request class, or here where the class has none.
    func run<T: Sendable>(_ requestClass: RequestClass, _ body: @escaping @Sendable () throws -> T) async throws -> T {
        guard let pool = pools[requestClass] else { return try body() }
        return try await pool.runIfActive(body)
    }

    /// Runs work in the upkeep thread, so that no request waits for it.
    func keepUp(_ body: @escaping @Sendable () -> Void) async throws { try await upkeep.runIfActive(body) }

    func shutDown() async throws {
        for pool in pools.values { try await pool.shutdownGracefully() }
        try await upkeep.shutdownGracefully()
    }
}
