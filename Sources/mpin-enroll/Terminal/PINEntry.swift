// SPDX-License-Identifier: Apache-2.0
import Console
import MPin

/// A current PIN on its way to the server.
///
/// A class, because noncopyable values cannot be in tuples and optionals.
final class PINEntry {
    private let pin: PIN
    let source: PINSource
    /// Whether it may be used for the last try before a block: the user has typed it twice, or it comes from a file,
    /// which cannot be mistyped.
    private(set) var mayBeLast: Bool

    init(_ pin: consuming PIN, from source: PINSource, mayBeLast: Bool) {
        self.pin = pin
        (self.source, self.mayBeLast) = (source, mayBeLast)
    }

    func withPIN<R: ~Copyable, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R {
        try body(pin)
    }

    /// Has the user type the PIN a second time, because a wrong PIN would block the registration.
    func confirm(_ sentence: String) throws(CommandFailure) {
        guard !mayBeLast else { return }
        Terminal.say(sentence)
        let again = try source.pin(prompt: "Retype the PIN (press Enter to cancel): ")
        guard pin.equals(again) else {
            throw CommandFailure(
                .badInput, "NOT_CONFIRMED", "The two PINs differ. Neither was checked.",
                advice: source.afterCanceling)
        }
        mayBeLast = true
    }
}
