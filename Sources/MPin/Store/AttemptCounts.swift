/// The counts of attempts at a registration since its last login, as noted on this machine.
package struct AttemptCounts: Sendable, Equatable {
    /// Attempts that are being made now, the caller's own included.
    package var inFlight = 0

    /// Attempts that the server has counted, or may have counted, without having said what is left.
    package var unresolved = 0

    /// The fewest tries that the server has said to be left.
    package var left: Int?

    /// ``unresolved`` of this connection or terminal alone, in the last ten minutes.
    package var ownUnresolved = 0

    /// ``left`` as this connection or terminal has heard it, in the last ten minutes.
    package var ownLeft: Int?

    package init() {}
}

/// How an attempt ended, as far as the count of wrong PINs goes.
package enum AttemptEnd: Sendable, Equatable {
    case notCounted
    /// Counted or not.
    case maybeCounted
    /// Counted. `left` is nil if the server did not say what is left.
    case wrong(left: Int?)
}

extension AttemptEnd {
    /// What a failed login means for the count of wrong PINs.
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
