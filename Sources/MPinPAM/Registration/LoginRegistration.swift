// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinWire

/// The registration a login is for.
package protocol LoginRegistration: AnyObject {
    var state: UserState { get }

    /// How many digits the PIN has; nil for secrets that are not PINs.
    var pinLength: Int? { get }

    /// How many tries are left, if the server has reported it since the last login; for display and for
    /// ``AttemptPolicy``.
    var attemptsLeft: Int? { get }

    /// How many wrong PINs came before the last login, if the server reported it.
    var wrongSinceLastLogin: Int? { get }

    /// REVOKED or CLIENT_SECRET_EXPIRED if the last contact ended with that status.
    var lastRefusal: MPinStatus? { get }

    /// Why the server's administrator has revoked it, if ``lastRefusal`` is REVOKED and the server sent a reason.
    var refusalReason: ByteText? { get }

    /// The counts of attempts since the last login, as noted on this machine.
    var attemptCounts: AttemptCounts? { get }

    /// Notes an attempt that is about to be made, and reads the server's last report again.
    ///
    /// - Returns: the counts, including this attempt; nil if it cannot be noted.
    func beginAttempt() -> AttemptCounts?

    /// Notes how the begun attempt ended.
    func endAttempt(_ end: AttemptEnd)

    /// Fetches what a login needs before its PIN is sent.
    func startAuthentication() throws(MPinError)

    /// Logs in, after ``startAuthentication()``.
    func finishAuthentication(_ pin: borrowing PIN) throws(MPinError)

    /// Proves the old PIN and replaces it with the new one.
    func changePIN(from old: borrowing PIN, to new: borrowing PIN) throws(MPinError)
}
