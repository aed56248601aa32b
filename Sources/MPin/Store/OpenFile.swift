internal import CMPinSystem

/// The number behind a ``Descriptor``, closed when its one owner goes.
///
/// A class only because Embedded Swift cannot see the `deinit` of a noncopyable struct of another module.
final class OpenFile {
    let number: Int32

    /// Whether it holds a lock. Closing alone would leave that to a child which the host forked meanwhile.
    var isLocked = false

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        if isLocked { mpin_lock_release(number) } else { mpin_descriptor_close(number) }
    }
}
