// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// Protection of the memory of a whole process. The server uses it; the module may not, because the process is its
/// host's.
package enum ProcessMemory {
    /// Disables core dumps for this process, and makes its memory inaccessible to all users except root.
    ///
    /// - Returns: whether the system has agreed to both.
    package static func denyDumps() -> Bool { mpin_process_deny_dumps() == 0 }
}
