// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// The memory of a ``SecretBytes``: mapped separately, and wiped and unmapped when its only owner is destroyed.
///
/// It is a class only because Embedded Swift cannot see the `deinit` of a noncopyable struct of another module.
@safe final class SecretPage {
    let start: UnsafeMutableRawPointer
    let size: Int

    init(size: Int) throws(CryptoError) {
        guard size > 0, let start = unsafe mpin_secret_map(size) else { throw .memoryUnavailable }
        unsafe self.start = unsafe start
        self.size = size
    }

    /// Whether the memory is locked, so that it is never written to swap.
    var isLocked: Bool { unsafe mpin_secret_lock(start, size) == 0 }

    deinit {
        unsafe mpin_secret_unmap(start, size)
    }
}
