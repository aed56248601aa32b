// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem

/// The number behind a ``Descriptor``, closed when its only owner is destroyed.
///
/// A class only because Embedded Swift cannot see the `deinit` of a noncopyable struct of another module.
final class OpenFile {
    let number: Int32

    /// Whether the descriptor holds a lock. Closing it alone would leave the lock to a child that the host has forked
    /// meanwhile.
    var isLocked = false

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        if isLocked { mpin_lock_release(number) } else { mpin_descriptor_close(number) }
    }
}
