// SPDX-License-Identifier: Apache-2.0
#if MPIN_THREAD_SANITIZER
internal import Glibc

/// The standard library's `Mutex` on a lock of the C library, only in builds for the thread sanitizer.
///
/// The original waits in a library that is not instrumented. The sanitizer would not see the ordering, and would report
/// everything that it protects.
@safe package struct Mutex<Value: ~Copyable>: ~Copyable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }
}

extension Mutex: @unchecked Sendable where Value: ~Copyable {}
#endif
