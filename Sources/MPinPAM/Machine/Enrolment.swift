package import MPin

/// The registration a login is for.
package protocol Enrolment: AnyObject {
    var state: UserState { get }

    /// How many digits the PIN has; nil for secrets that are no PIN.
    var pinLength: Int? { get }

    /// How many tries are left, where the server has said so since the last login; for display and for the guard.
    var attemptsLeft: Int? { get }

    /// REVOKED or CLIENT_SECRET_EXPIRED when the last contact ended so.
    var lastRefusal: MPinStatus? { get }

    /// Logs in. All traffic of a login is here.
    func logIn(_ pin: borrowing PIN) throws(MPinError)

    /// Proves the old PIN and puts the new one in its place.
    func changePIN(from old: borrowing PIN, to new: borrowing PIN) throws(MPinError)
}
