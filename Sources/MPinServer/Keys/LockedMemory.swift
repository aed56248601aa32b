internal import Glibc
internal import Logging
internal import MPinCrypto

/// What keeps the secrets of a server's process inside it.
package enum LockedMemory {
    /// Has the process leave no core dumps and closes its memory to all but root; the first thing a program does.
    ///
    /// Where the system does not agree, which no known one does, the program runs all the same: what is secret lies in
    /// pages that are left out of dumps anyway.
    package static func protect() {
        _ = ProcessMemory.denyDumps()
    }

    /// Says so where a secret that lives as long as the server could be written to swap.
    static func check(_ areLocked: [Bool], _ logger: Logger) {
        guard areLocked.contains(false) else { return }
        var limit = rlimit()
        let isKnown = unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0
        logger.warning(
            "the server's secrets are not locked in memory, and may be written to swap",
            metadata: [
                "RLIMIT_MEMLOCK": "\(isKnown ? String(limit.rlim_cur) : "unknown")",
                "hint": "raise the limit (ulimit -l 1024; with systemd LimitMEMLOCK=1M), or encrypt the swap",
            ])
    }
}
