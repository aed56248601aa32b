internal import CMPinSystem

/// The memory of a whole process that is its own master, as the server is and the module is not.
package enum ProcessMemory {
    /// Has this process leave no core dumps, and closes its memory to everybody but root.
    ///
    /// - Returns: whether the system has agreed to both.
    package static func denyDumps() -> Bool { mpin_process_deny_dumps() == 0 }
}
