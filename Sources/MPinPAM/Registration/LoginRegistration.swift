package import MPin
package import MPinWire

/// The registration a login is for.
package protocol LoginRegistration: AnyObject {
    var state: UserState { get }

    /// How many digits the PIN has; nil for secrets that are no PIN.
    var pinLength: Int? { get }

    /// How many tries are left, where the server has said so since the last login; for display and for ``AttemptPolicy``.
    var attemptsLeft: Int? { get }

    /// How many wrong PINs came before the last login, where the server said so.
    var wrongSinceLastLogin: Int? { get }

    /// REVOKED or CLIENT_SECRET_EXPIRED when the last contact ended so.
    var lastRefusal: MPinStatus? { get }

    /// Why the server's administrator has revoked it, where ``lastRefusal`` says that and the server said why.
    var refusalReason: ByteText? { get }

    /// The counts of attempts since the last login, as noted on this machine.
    var attemptCounts: AttemptCounts? { get }

    /// Notes an attempt that is about to be made, and reads again what the server said last.
    ///
    /// - Returns: the counts, this attempt included; nil where it cannot be noted.
    func beginAttempt() -> AttemptCounts?

    /// Notes how the attempt ended that was begun.
    func endAttempt(_ end: AttemptEnd)

    /// Fetches what a login needs before its PIN is sent.
    func startLogin() throws(MPinError)

    /// Logs in, once the login has been started.
    func finishLogin(_ pin: borrowing PIN) throws(MPinError)

    /// Proves the old PIN and puts the new one in its place.
    func changePIN(from old: borrowing PIN, to new: borrowing PIN) throws(MPinError)
}
