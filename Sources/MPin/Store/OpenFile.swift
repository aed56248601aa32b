internal import CMPinSystem

/// The number behind a ``Descriptor``, closed when its one owner goes.
///
/// A class only because Embedded Swift cannot see the `deinit` of a noncopyable struct of another module.
final class OpenFile {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        mpin_descriptor_close(number)
    }
}
