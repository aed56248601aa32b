/// The counts of attempts at a registration since its last login, as noted on this machine.
package struct AttemptCounts: Sendable, Equatable {
    /// Attempts that are being made now, the caller's own included.
    package var inFlight = 0

    /// Attempts that the server may have counted without having said what is left.
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
    /// Counted or not, or counted by a server that does not say what is left.
    case maybeCounted
    /// Counted, and the server has said what is left.
    case wrong(left: Int)
}
