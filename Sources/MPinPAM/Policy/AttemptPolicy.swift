// SPDX-License-Identifier: Apache-2.0
package import MPin

/// Decides whether another attempt may be sent: the owner must not use the last try before a block by accident.
package struct AttemptPolicy: Sendable {
    /// The number of wrong PINs after which servers block that do not report how many are left.
    package static let usualLimit = 3

    /// The counts of attempts; nil if they cannot be read or written.
    private let counts: AttemptCounts?
    /// The server's last report, stored with the registration.
    private let attemptsLeft: Int?
    private let handle: HandleAttempts
    private let protectsLastTry: Bool

    package init(counts: AttemptCounts?, attemptsLeft: Int?, handle: HandleAttempts, protectsLastTry: Bool) {
        (self.counts, self.attemptsLeft, self.handle) = (counts, attemptsLeft, handle)
        self.protectsLastTry = protectsLastTry
    }

    /// The tries that are left if every attempt that may have counted did count.
    @inline(never)
    private var remaining: Int {
        var remaining = attemptsLeft ?? counts?.left ?? Self.usualLimit
        if let left = counts?.left, left < remaining { remaining = left }
        return remaining - (counts?.unresolved ?? 0)
    }

    /// The number of tries left to show: the server's last report, less the attempts that may have counted since. So a
    /// prompt never names more tries than the policy knows, and one if the last try is announced. `nil` without a report.
    package var shownLeft: Int? { attemptsLeft == nil ? nil : isLastTry ? 1 : remaining }

    /// Whether the next wrong PIN may block the registration, so that the owner has to confirm it.
    ///
    /// - Parameter others: attempts in flight of other processes, which may have counted.
    private func isLastTry(besides others: Int) -> Bool { protectsLastTry && remaining - others <= 1 }

    /// Whether this attempt may be the last try, before it is noted. Other attempts that go on will have ended before it
    /// is sent, see ``isUndecided``.
    package var isLastTry: Bool { isLastTry(besides: counts?.stalled ?? 0) }

    /// Whether this attempt may be the last try, after it was noted.
    package var isLastTryNow: Bool { isLastTry(besides: max(0, (counts?.inFlight ?? 0) - 1)) }

    /// Whether only attempts that will end soon decide whether this one, which was noted, may be the last try. It waits
    /// for them, without its note, so that no two programs wait for each other.
    package var isUndecided: Bool { isLastTryNow && !isLastTry }

    /// Whether nothing more may be sent from here: this connection or terminal has used all tries except the last one.
    ///
    /// That is the case once the server has reported to it that a single try is left; with servers that do not report
    /// it, after two attempts that may have counted.
    package var isClosed: Bool {
        guard protectsLastTry else { return false }
        if handle.isClosed || counts?.ownLeft ?? Int.max <= 1 { return true }
        return counts?.ownUnresolved ?? 0 > 0 && remaining <= 1
    }
}

/// Counts the wrong PINs of one account in one PAM handle, and remembers the last failure that was shown, in one small
/// integer that libpam keeps.
///
/// Programs ask three times, and servers block after three wrong PINs: a stuck key would block a registration in a
/// single call of sudo. The notes in the store contain this and more; this count remains if they cannot be written.
package struct HandleAttempts: Sendable, Equatable {
    /// The integer that is stored with the PAM handle. mpin-agent passes it on in a byte.
    package private(set) var memory: Int

    /// The count of a handle in which nothing more may be sent; the bits above are for ``Failure``.
    private static let closed = 31

    /// A failure that the user cannot end by typing the PIN again.
    package enum Failure: Int, Sendable {
        case blocked = 1, revoked, unreachable, remote, notEnrolled
    }

    package init(memory: Int) { self.memory = memory }

    /// Whether nothing more may be sent in this PAM handle.
    ///
    /// That is the case once the server has reported that a single try is left; with servers that do not report it,
    /// after two wrong PINs.
    package var isClosed: Bool { count == Self.closed }

    private var count: Int {
        get { memory & Self.closed }
        set { memory = memory & ~Self.closed | newValue }
    }

    /// How many wrong PINs were sent in this PAM handle, as far as it is still known.
    package var wrong: Int { isClosed ? 0 : count }

    package mutating func note(_ end: AttemptEnd) {
        guard !isClosed else { return }
        switch end {
        case .notCounted: break
        case .wrong(let left?): count = left <= 1 ? Self.closed : min(count + 1, Self.closed - 1)
        case .wrong(nil), .maybeCounted: count = count >= 1 ? Self.closed : 1
        }
    }

    /// Notes that a message is shown.
    ///
    /// - Parameter failure: nil for a message that is always shown.
    /// - Returns: false for the failure that was shown last: programs such as sudo ask three times, and would show it
    ///   each time.
    package mutating func show(_ failure: Failure?) -> Bool {
        let bits = (failure?.rawValue ?? 0) * (Self.closed + 1)
        guard bits == 0 || memory & ~Self.closed != bits else { return false }
        memory = count | bits
        return true
    }

    /// Forgets everything after a login.
    package mutating func reset() { memory = 0 }
}
