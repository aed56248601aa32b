import MPin

/// A PIN that was just chosen, on its way through the steps that need it; a class because tuples and optionals of what
/// is not copyable cannot be passed on.
final class NewPIN {
    private let pin: PIN

    init(_ pin: consuming PIN) {
        self.pin = pin
    }

    func withPIN<R, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R {
        try body(pin)
    }
}
