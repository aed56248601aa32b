// SPDX-License-Identifier: Apache-2.0
import MPin

/// A PIN that several steps need. A class, because noncopyable values cannot be in tuples and optionals.
final class NewPIN {
    private let pin: PIN

    init(_ pin: consuming PIN) { self.pin = pin }

    func withPIN<R: ~Copyable, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R { try body(pin) }

    func copy() throws(CommandFailure) -> PIN { try NewPIN.reading { () throws(MPinError) in try pin.copy() } }

    static func reading(_ make: () throws(MPinError) -> PIN) throws(CommandFailure) -> PIN {
        do throws(MPinError) { return try make() } catch { throw CommandFailure(error) }
    }
}

/// What the steps of an enrollment find out for later ones.
final class EnrollmentProgress {
    /// The new PIN, once it is known.
    var pin: NewPIN?
    /// The M-Pin IDs of discarded unfinished registrations that the server still has.
    var abandoned: [String] = []
}
