// SPDX-License-Identifier: Apache-2.0
import MPin

/// A new PIN that several steps need. A class, because noncopyable values cannot be in tuples and optionals.
final class NewPIN {
    private let pin: PIN

    init(_ pin: consuming PIN) {
        self.pin = pin
    }

    func withPIN<R, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R {
        try body(pin)
    }
}
