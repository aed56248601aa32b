// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
import MPin

/// Runs the jobs of one actor on a thread of its own, so that its calls, which wait for servers and locks, keep no
/// thread from other tasks. The thread ends with the actor.
final class ClientExecutor: SerialExecutor {
    private let jobs = JobQueue()

    /// - Throws: CRYPTO_ERROR if the process lacks memory or threads.
    init() throws(MPinError) {
        let queue = unsafe Unmanaged.passRetained(jobs)
        let error = unsafe mpin_thread_start(
            { context in if let context = unsafe context { unsafe JobQueue.run(context) } }, queue.toOpaque())
        guard error == 0 else {
            unsafe queue.release()
            throw MPinError.noThread
        }
    }

    deinit { jobs.close() }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), of: self) }
}

/// Jobs in their order, for one thread.
///
/// It is `Sendable` because every access to its variables is under the mutex.
@safe private final class JobQueue: @unchecked Sendable {
    private struct Entry {
        let job: UnownedJob
        /// Must not be destroyed while one of its jobs runs.
        let executor: ClientExecutor
    }

    private let mutex: UnsafeMutablePointer<mpin_mutex>
    private let arrival: UnsafeMutablePointer<mpin_condition>
    private var entries: [Entry] = []
    private var isClosed = false

    init() {
        unsafe (mutex, arrival) = (.allocate(capacity: 1), .allocate(capacity: 1))
        unsafe mutex.initialize(to: mpin_mutex())
        unsafe mpin_mutex_init(mutex)
        unsafe arrival.initialize(to: mpin_condition())
        unsafe mpin_condition_init(arrival)
    }

    deinit {
        unsafe mpin_condition_destroy(arrival)
        unsafe arrival.deallocate()
        unsafe mpin_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func add(_ job: UnownedJob, of executor: ClientExecutor) {
        unsafe mpin_mutex_lock(mutex)
        entries.append(Entry(job: job, executor: executor))
        unsafe mpin_condition_signal(arrival)
        unsafe mpin_mutex_unlock(mutex)
    }

    func close() {
        unsafe mpin_mutex_lock(mutex)
        isClosed = true
        unsafe mpin_condition_signal(arrival)
        unsafe mpin_mutex_unlock(mutex)
    }

    /// Waits for a job. The last one destroys the executor, and this thread then finds the queue closed.
    private func next() -> Entry? {
        unsafe mpin_mutex_lock(mutex)
        defer { unsafe mpin_mutex_unlock(mutex) }
        while entries.isEmpty, !isClosed { unsafe mpin_condition_wait(arrival, mutex) }
        return entries.isEmpty ? nil : entries.removeFirst()
    }

    private func runAll() {
        while let entry = next() { unsafe entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor()) }
    }

    /// The thread: owns the queue.
    static func run(_ context: UnsafeMutableRawPointer) {
        unsafe Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().runAll()
    }
}
