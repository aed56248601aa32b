// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Glibc
import Synchronization
import Testing

extension EndToEnd {
    /// A lock file that is removed with the last enrollment, while other programs wait for it.
    @Suite struct RemovedLockTests {
        @Test func `a program that waited for a removed file waits for its successor`() throws {
            let path = "/tmp/mpin-lock-\(UUID().uuidString.prefix(8))"
            try #require(mkdir(path, 0o700) == 0 && mkdir(path + "/next", 0o700) == 0)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            let other = open(path + "/next", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { [directory, other].forEach { close($0) } }
            func take(_ directory: Int32) -> Int32 { mpin_lock_take(directory, "alice.lock", 1, mpin_monotonic_ns()) }
            let first = take(directory)
            #expect(first >= 0)
            let waited = Mutex<Int32?>(nil)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                waited.withLock { $0 = mpin_lock_take(directory, "alice.lock", 1, mpin_monotonic_ns() + 4_000_000_000) }
                done.signal()
            }
            usleep(1_500_000)
            // The successor is held before the program that waits can see it.
            let second = take(other)
            #expect(second >= 0)
            #expect(rename(path + "/next/alice.lock", path + "/alice.lock") == 0)
            mpin_lock_release(first)
            #expect(done.wait(timeout: .now() + 10) == .success)
            // The second one is held all the time.
            #expect(waited.withLock { $0 } == -ETIMEDOUT)
            mpin_lock_release(second)
            let third = take(directory)
            #expect(third >= 0)
            mpin_lock_release(third)
        }
    }
}
