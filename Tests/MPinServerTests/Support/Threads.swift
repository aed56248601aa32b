// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import Synchronization

/// The results of the threads of a test.
private final class Results<T: Sendable>: Sendable {
    let values = Mutex<[Result<T, any Error>?]>([])
}

/// Does something on so many threads at once, and waits for all. Blocking ones would stop tasks.
///
/// - Returns: what came out, in the order of the numbers they were given.
func onThreads<T: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) throws -> T) throws -> [T] {
    let results = Results<T>()
    results.values.withLock { $0 = Array(repeating: nil, count: count) }
    let start = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for number in 0..<count {
        done.enter()
        Thread.detachNewThread {
            start.wait()
            let result = Result { try body(number) }
            results.values.withLock { $0[number] = result }
            done.leave()
        }
    }
    for _ in 0..<count { start.signal() }
    guard done.wait(timeout: .now() + 1_200) == .success else { throw ThreadsHang() }
    return try results.values.withLock { try $0.map { try $0?.get() ?? { throw ThreadsHang() }() } }
}

struct ThreadsHang: Error {}
