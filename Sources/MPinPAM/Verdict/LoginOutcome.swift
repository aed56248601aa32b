package import MPin
package import MPinWire

/// What happened in a transaction, before it is decided who is told what; see ``row(failure:)``.
package enum LoginOutcome: Sendable {
    /// The proof is complete.
    case loggedIn
    /// The server or the way to it has refused, or the machine failed at it.
    case refused(MPinStatus, attemptsLeft: Int?, pinChecked: MPinError.PINChecked)
    /// This process lacked something; the server was not reached, or not to the end.
    case failedHere(MPinError)
    /// The PIN was wrong and was the last try.
    case blockedNow
    /// Too many wrong PINs came before.
    case blockedBefore
    /// Nobody is enrolled; `isProven` when the record is proven not to be there.
    case notEnrolled(isProven: Bool)
    /// A registration was begun and not finished.
    case unfinished
    /// This process may not read the store.
    case storeClosed
    /// The store or a record is not to be trusted or not readable, or there is no memory.
    case storeUnusable(ByteText)
    /// Configuration or arguments are wrong, or the account does not lead to one registration.
    case misconfigured(ByteText)
    /// The person gave up.
    case noAnswer
    /// Nobody could be asked.
    case conversationFailed
    /// The answer cannot be the PIN, which has so many digits.
    case notAPIN(length: Int?)
    /// The last try was to be confirmed and was not.
    case notConfirmed
    /// The last try is kept from this handle.
    case guarded
    /// There is no server at the socket where it should be, which is seen before anybody is asked.
    case serverAbsent
    /// A service with nobody in front of it.
    case unattended
    /// Asked for from where it is not allowed.
    case elsewhere
    /// The method that holds here is not to be had; the setting that would change it.
    case methodUnavailable(LoginMethod, ConfigurationOption)
    /// The new PIN is too easy to guess, or is no PIN.
    case weakPIN(PINWeakness)
    /// The new PIN was typed differently the second time.
    case newPINsDiffer
    /// The new PIN is in force.
    case changed
}
