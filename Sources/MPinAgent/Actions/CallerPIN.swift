// SPDX-License-Identifier: Apache-2.0
package import MPin

/// A PIN that the caller has answered, on its way to the server.
package struct CallerPIN: ~Copyable {
    package let pin: PIN
    private let caller: any ActionCaller
    /// Whether it may be used for the last try before a block.
    package private(set) var mayBeLast: Bool

    package init(_ pin: consuming PIN, _ caller: any ActionCaller, mayBeLast: Bool) {
        (self.caller, self.mayBeLast) = (caller, mayBeLast)
        self.pin = pin
    }

    /// Has the user type the PIN a second time, because a wrong PIN would block the registration.
    borrowing func confirm(_ kind: ActionQuestion.Kind, _ user: User) throws(ActionFailure) {
        guard !mayBeLast else { return }
        let again = try caller.ask(ActionQuestion(kind, user))
        guard pin.equals(again) else { throw ActionFailure(again.isEmpty ? .unanswered : .notConfirmed, user.summary) }
    }

    mutating func noteConfirmed() { mayBeLast = true }
}
