package import MPin

/// Decides whether another attempt may be sent: the owner must not spend the last try before a block by accident.
package struct AttemptPolicy: Sendable {
    /// Wrong PINs after which servers block that do not say how many are left.
    package static let usualLimit = 3

    /// The counts of attempts; nil where they cannot be read or written.
    private let counts: AttemptCounts?
    /// What the server said last, kept with the registration.
    private let attemptsLeft: Int?
    private let handle: HandleAttempts
    /// Whether the last try is protected from accidents at all.
    private let protectsLastTry: Bool

    package init(counts: AttemptCounts?, attemptsLeft: Int?, handle: HandleAttempts, protectsLastTry: Bool) {
        self.counts = counts
        self.attemptsLeft = attemptsLeft
        self.handle = handle
        self.protectsLastTry = protectsLastTry
    }

    /// The tries that are left when everything has counted that may have.
    @inline(never)
    private var remaining: Int {
        var remaining = attemptsLeft ?? counts?.left ?? Self.usualLimit
        if let left = counts?.left, left < remaining { remaining = left }
        return remaining - (counts?.unresolved ?? 0)
    }

    /// Whether the next wrong PIN may block the registration, so that the owner has to confirm it.
    ///
    /// - Parameter others: attempts in flight of other processes: they may have counted.
    private func isLastTry(besides others: Int) -> Bool { protectsLastTry && remaining - others <= 1 }

    /// The same before this attempt is noted.
    package var isLastTry: Bool { isLastTry(besides: counts?.inFlight ?? 0) }

    /// The same when this attempt is among those noted.
    package var isLastTryNow: Bool { isLastTry(besides: max(0, (counts?.inFlight ?? 0) - 1)) }

    /// Whether nothing more may be sent from here: this connection or terminal has had the tries but the last.
    ///
    /// That is once the server has said to it that a single try is left; with servers that do not say, after two
    /// attempts that may have counted.
    package var isClosed: Bool {
        guard protectsLastTry else { return false }
        if handle.isClosed || counts?.ownLeft ?? Int.max <= 1 { return true }
        return counts?.ownUnresolved ?? 0 > 0 && remaining <= 1
    }
}
