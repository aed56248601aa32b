package import MPin
package import MPinConfiguration
package import MPinWire

/// What happened in a call of the module, before it is decided who is told what; see ``row(failure:)``.
package enum LoginOutcome: Sendable {
    /// The proof is complete.
    case loggedIn
    /// The server refused, or the connection to it or this machine failed.
    case refused(MPinStatus, attemptsLeft: Int?, pinChecked: MPinError.PINChecked)
    /// This process lacked something; the server was not reached, or not to the end.
    case failedHere(MPinError)
    /// The server knows no registration with the key of this device; nothing was judged.
    case deviceUnknown
    /// The TPM of this machine does not hold the key of the enrollment; nothing was sent.
    case keyLost
    /// The PIN was wrong and was the last try.
    case blockedNow
    /// Too many wrong PINs came before.
    case blockedBefore
    /// The account is not enrolled; `isProven` when it is proven to have no record.
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
    /// The PAM conversation failed.
    case conversationFailed
    /// The answer cannot be the PIN, which has so many digits.
    case notAPIN(length: Int?)
    /// The last try was to be confirmed and was not.
    case notConfirmed
    /// The last try before a block is kept, and nothing more is sent in this PAM handle.
    case lastTryKept
    /// There is no server at the socket where it should be, which is noticed before the prompt.
    case serverAbsent
    /// A service without a person to ask, such as cron.
    case unattended
    /// Asked for from where it is not allowed.
    case elsewhere
    /// A set-uid program that was started by a user who is neither root nor the account.
    case anotherUser
    /// The method that holds here is not to be had; the setting that would change it.
    case methodUnavailable(LoginMethod, ConfigurationOption)
    /// The new PIN is too easy to guess, or is no PIN.
    case weakPIN(PINWeakness)
    /// The new PIN was typed differently the second time.
    case newPINsDiffer
    /// The PIN was changed.
    case changed
}

extension LoginOutcome {
    static var noMemory: LoginOutcome { .storeUnusable("no memory for the PIN") }
}
