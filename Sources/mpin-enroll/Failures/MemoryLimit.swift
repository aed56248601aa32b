import Glibc

/// The limits of this process's memory, which whoever started it can set.
enum MemoryLimit {
    /// Whether there is none, so that a transfer has not failed for want of memory.
    static var isNone: Bool {
        [RLIMIT_AS, RLIMIT_DATA].allSatisfy { kind in
            var limit = rlimit()
            return unsafe getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 && limit.rlim_cur == rlim_t.max
        }
    }
}
