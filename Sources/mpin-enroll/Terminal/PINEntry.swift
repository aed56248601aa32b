import MPin

/// A current PIN on its way to the server.
///
/// A class, because tuples and optionals of noncopyable values cannot be passed on.
final class PINEntry {
    private let pin: PIN
    let source: PINSource
    /// Whether it may be the last try before a block: a person has confirmed that by typing it twice, or it comes from a
    /// file, where nobody mistypes.
    private(set) var mayBeLast: Bool

    init(_ pin: consuming PIN, from source: PINSource, mayBeLast: Bool) {
        self.pin = pin
        (self.source, self.mayBeLast) = (source, mayBeLast)
    }

    func withPIN<R: ~Copyable, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R {
        try body(pin)
    }

    /// Has the person type it a second time, because a wrong PIN would be the last before a block.
    func confirm(_ sentence: String) throws(CommandFailure) {
        guard !mayBeLast else { return }
        Terminal.say(visible(sentence))
        let again = try source.pin(prompt: "Repeat the PIN (press Enter to cancel): ")
        guard pin.equals(again) else {
            throw CommandFailure(
                .badInput, "NOT_CONFIRMED", "The two PINs differ. Neither was checked.",
                advice: source.afterCanceling)
        }
        mayBeLast = true
    }
}
