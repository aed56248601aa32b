// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// The memory of a ``SecretBytes``: wiped when its only owner is destroyed.
///
/// It is a class only because Embedded Swift cannot see the `deinit` of a noncopyable struct of another module. It never
/// changes, and only the ``SecretBytes`` that owns it changes the bytes, so any thread may destroy it.
@safe final class SecretPage: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let size: Int
    /// The memory in whose page this is; nil for a mapping of its own.
    private let host: SecretPage?

    /// - Parameter neighbor: memory whose page is to be shared if it has room.
    init(size: Int, beside neighbor: SecretPage? = nil) throws(CryptoError) {
        guard size > 0 else { throw .memoryUnavailable }
        self.size = size
        let host = neighbor?.host ?? neighbor
        if let host, let place = unsafe mpin_secret_place(host.start, host.size, size) {
            unsafe start = unsafe place
            self.host = host
            return
        }
        guard let mapped = unsafe mpin_secret_map(size) else { throw .memoryUnavailable }
        unsafe start = unsafe mapped
        self.host = nil
    }

    /// Whether the memory is locked, so that it is never written to swap.
    var isLocked: Bool { unsafe mpin_secret_lock(start, size) == 0 }

    deinit {
        if let host { unsafe mpin_secret_leave(host.start, start, size) } else { unsafe mpin_secret_unmap(start, size) }
    }
}

/// Protection of the memory of a whole process. The server uses it; the module may not, because the process is its
/// host's.
package enum ProcessMemory {
    /// Disables core dumps for this process, and makes its memory inaccessible to all users except root.
    ///
    /// - Returns: whether the system has agreed to both.
    package static func denyDumps() -> Bool { mpin_process_deny_dumps() == 0 }
}
