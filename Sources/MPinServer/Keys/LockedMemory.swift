// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import MPinCrypto

/// Protects the secrets in a server's memory.
package enum LockedMemory {
    /// Disables core dumps and closes the process's memory to all users but root. Must be the first action of a
    /// program.
    ///
    /// If the system refuses, which no known one does, the program still runs, because its secrets are in pages that
    /// are left out of dumps.
    package static func protect() { _ = ProcessMemory.denyDumps() }

    /// Warns if a secret with the server's lifetime could be written to swap.
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
