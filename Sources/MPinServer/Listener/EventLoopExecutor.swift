// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

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
