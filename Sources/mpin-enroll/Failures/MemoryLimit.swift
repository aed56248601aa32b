// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The memory limits of this process, which its parent process can set.
enum MemoryLimit {
    /// Whether there is no limit, so that a lack of memory cannot be the reason for a failed transfer.
    static var isNone: Bool {
        [RLIMIT_AS, RLIMIT_DATA].allSatisfy { kind in
            var limit = rlimit()
            return unsafe getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 && limit.rlim_cur == rlim_t.max
        }
    }
}
