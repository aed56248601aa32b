// SPDX-License-Identifier: Apache-2.0

/// The counts of login attempts with a registration since its last login, as noted on this machine.
package struct AttemptCounts: Sendable, Equatable {
    /// Attempts in progress now, including the caller's own.
    package var inFlight = 0

    /// Attempts that the server has counted, or may have counted, without reporting what is left.
    package var unresolved = 0

    /// The lowest number of tries left that the server has reported.
    package var left: Int?

    /// ``unresolved`` of this connection or terminal only, in the last ten minutes.
    package var ownUnresolved = 0

    /// ``left`` as reported to this connection or terminal, in the last ten minutes.
    package var ownLeft: Int?

    package init() {}
}

/// How an attempt ended, in terms of the count of wrong PINs.
package enum AttemptEnd: Sendable, Equatable {
    case notCounted
    /// The attempt may have been counted.
    case maybeCounted
    /// The attempt was counted. `left` is nil if the server did not report what is left.
    case wrong(left: Int?)
}

extension AttemptEnd {
    /// The effect of a failed login on the count of wrong PINs.
    ///
    /// - Parameter isBlocked: whether the registration is BLOCKED now.
    @inline(never)
    package init(_ error: MPinError, isBlocked: Bool) {
        if error.code == .incorrectPIN, isBlocked || error.pinChecked == .yes {
            self = .wrong(left: isBlocked ? 0 : error.attemptsLeft)
        } else {
            self = error.pinChecked == .no ? .notCounted : .maybeCounted
        }
    }
}
