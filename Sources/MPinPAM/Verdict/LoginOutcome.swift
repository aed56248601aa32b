// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinConfiguration
package import MPinWire

/// The result of a call of the module, before it is decided which caller learns what; see ``row(failure:)``.
package enum LoginOutcome: Sendable {
    /// The proof is complete.
    case loggedIn
    /// The server refused, or the connection to it or this machine failed.
    case refused(MPinStatus, attemptsLeft: Int?, pinChecked: MPinError.PINChecked)
    /// This process lacked something; the server was not reached, or the exchange was not completed.
    case failedHere(MPinError)
    /// The server knows no registration with the key of this device; nothing was judged.
    case deviceUnknown
    /// The answer was not signed by the registration's server, so nothing that it says counts; the PIN may have been
    /// checked.
    case unproven
    /// The TPM of this machine does not have the enrollment's key; nothing was sent.
    case keyLost
    /// The PIN was wrong, and it was the last try.
    case blockedNow
    /// There were too many wrong PINs before.
    case blockedBefore
    /// The account is not enrolled; `isProven` if it is proven to have no record.
    case notEnrolled(isProven: Bool)
    /// A registration was begun but not finished.
    case unfinished
    /// This process may not read the store.
    case storeClosed
    /// The store or a record is unsafe or unreadable, or there is not enough memory.
    case storeUnusable(ByteText)
    /// Configuration or arguments are wrong, or the account does not lead to one registration.
    case misconfigured(ByteText)
    /// The user gave up.
    case noAnswer
    /// The PAM conversation failed.
    case conversationFailed
    /// The answer cannot be the PIN, which has this many digits.
    case notAPIN(length: Int?)
    /// The confirmation of the last try failed.
    case notConfirmed
    /// The last try before a block was not used, and nothing more is sent in this PAM handle.
    case lastTryKept
    /// The server's socket does not exist, which is noticed before the prompt.
    case serverAbsent
    /// A service without a user to ask, such as cron.
    case unattended
    /// The request came from where it is not allowed.
    case elsewhere
    /// A set-uid program was started by a user who is neither root nor the account.
    case anotherUser
    /// The method that applies is not available; the setting would change it.
    case methodUnavailable(LoginMethod, ConfigurationOption)
    /// The new PIN is too easy to guess, or is not a PIN.
    case weakPIN(PINWeakness)
    /// The second answer for the new PIN was different.
    case newPINsDiffer
    /// The PIN was changed.
    case changed
}

extension LoginOutcome { static var noMemory: LoginOutcome { .storeUnusable("no memory for the PIN") } }

/// The module's answer to one outcome; see ``LoginOutcome/row(failure:)``.
///
/// It is a class because it is expensive to copy.
final class OutcomeRow {
    /// The return code for a caller who may know everything.
    let code: ReturnCode
    /// The word in the log: the status if there is one.
    let word: Constant
    /// The message for a caller who may know everything.
    let message: Message?
    /// Details for the administrator beyond the word.
    let reason: ByteText?
    /// How many tries are left, if the server reported it.
    let left: Int?

    @inline(never)
    init(
        _ code: ReturnCode, _ word: Constant, _ message: Message? = nil, reason: ByteText? = nil, left: Int? = nil
    ) {
        (self.code, self.word, self.message, self.reason) = (code, word, message, reason)
        self.left = left
    }
}
