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
    case conversationFailed
    /// The answer is a password, which was passed on to the next modules.
    case password
    /// The answer cannot be the PIN; `isTold` if the user may be told that it was mistyped. How many digits the PIN has
    /// is never shown: others may see the screen.
    case notAPIN(isTold: Bool)
    /// The answer has digits only, but not as many as a PIN has.
    case notWhole
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
    /// The login is not known to be local; the setting would permit it.
    case remote(reason: ByteText, ConfigurationOption)
    /// The new PIN is too easy to guess, or is not a PIN.
    case weakPIN(PINWeakness)
    /// The second answer for the new PIN was different.
    case newPINsDiffer
    case changed
}

extension LoginOutcome {
    static var noMemory: LoginOutcome { .storeUnusable("no memory for the PIN") }

    /// Whether the user mistyped the PIN and may be asked again.
    var isMistyped: Bool {
        switch self {
        case .refused(.incorrectPIN, _, _), .notAPIN(isTold: true): true
        default: false
        }
    }
}

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

extension LoginOutcome {
    /// The only table of outcomes: return code, word in the log, message for a caller who may know it, reason for the
    /// administrator. The log level follows from the return code, see ``ReturnCode/level``.
    ///
    /// To add an outcome, add a case and its row. Only a complete proof leads to success.
    /// - Parameter failure: the sentence of the failure itself, if there is one.
    @inline(never)
    func row(failure: Constant? = nil) -> OutcomeRow {
        switch self {
        case .loggedIn: OutcomeRow(.success, MPinStatus.ok.word)
        case .refused(let status, let left, let checked): LoginOutcome.refusal(status, left, checked, failure)
        case .failedHere(let error):
            OutcomeRow(.systemError, error.code.word, .failure(error.sentence, error.pinChecked))
        case .deviceUnknown:
            OutcomeRow(
                .permissionDenied, "DEVICE_UNKNOWN",
                Message("The server does not know this device.\nEnroll again: sudo mpin-enroll recover"))
        case .unproven:
            OutcomeRow(
                .authInfoUnavailable, MPinStatus.networkError.word,
                .failure("Another server may have answered.", .maybe),
                reason: "The answer lacks the server's signature. The PIN may have been checked.")
        case .keyLost:
            OutcomeRow(
                .permissionDenied, "KEY_LOST",
                Message("This machine's TPM no longer has the device key.\nEnroll again: sudo mpin-enroll recover"))
        case .blockedNow:
            OutcomeRow(
                .maxTries, MPinStatus.incorrectPIN.word,
                Message(
                    """
                    Wrong PIN. That was the last try, and this enrollment is now blocked.
                    Recover it: sudo mpin-enroll recover
                    """, of: .blocked), left: 0)
        case .blockedBefore:
            OutcomeRow(
                .maxTries, UserState.blocked.word,
                Message("This enrollment is blocked. Recover it: sudo mpin-enroll recover", of: .blocked), left: 0)
        case .notEnrolled, .unfinished:
            OutcomeRow(
                .userUnknown, "NOT_ENROLLED",
                Message(
                    "This account is not enrolled with M-Pin on this machine.\nEnroll: sudo mpin-enroll",
                    of: .notEnrolled))
        case .storeClosed: OutcomeRow(.authInfoUnavailable, "STORE_NOT_READABLE")
        case .storeUnusable(let reason):
            OutcomeRow(
                .systemError, MPinStatus.storageError.word,
                Message("M-Pin cannot be used on this machine at the moment.\nCheck: sudo mpin-enroll doctor"),
                reason: reason)
        case .misconfigured(let reason): OutcomeRow(.serviceError, "CONFIGURATION", reason: reason)
        case .noAnswer: OutcomeRow(.authError, MPinStatus.pinInputCanceled.word)
        case .conversationFailed: OutcomeRow(.conversationError, "CONVERSATION")
        case .password: OutcomeRow(.authError, "PASSWORD")
        case .notAPIN(let isTold):
            OutcomeRow(
                .authError, "NOT_A_PIN", isTold ? Message("This cannot be your PIN. Nothing was sent.") : nil)
        case .notWhole:
            OutcomeRow(.authError, "NOT_A_PIN", Message("A PIN has 4 to 6 digits. Nothing was sent."))
        case .notConfirmed:
            OutcomeRow(
                .authError, "NOT_CONFIRMED", Message("The two PINs differ. Neither was sent, and no try was used."))
        case .lastTryKept:
            OutcomeRow(
                .maxTries, "LAST_TRY_KEPT",
                Message(
                    """
                    No PIN was sent: one more wrong PIN could block the enrollment.
                    For the last try, log in again or run: sudo mpin-enroll test
                    """))
        case .serverAbsent:
            OutcomeRow(
                .authInfoUnavailable, MPinStatus.networkError.word,
                Message("The M-Pin server cannot be reached from here; no PIN was asked for.", of: .unreachable),
                reason: "no network, or no socket of the server")
        case .unattended: OutcomeRow(.authInfoUnavailable, "UNATTENDED")
        case .elsewhere:
            OutcomeRow(.permissionDenied, "ELSEWHERE", Message("The PIN can be changed only in a local session."))
        case .anotherUser: OutcomeRow(.authError, "ANOTHER_USER")
        case .remote(let reason, let setting):
            OutcomeRow(
                .permissionDenied, "REMOTE", Message("M-Pin accepts no PIN here: " + reason + ".", of: .remote),
                reason: reason + "; to accept the PIN there, set " + setting.row.name.text + "=pin")
        case .weakPIN(let weakness):
            OutcomeRow(.tokenError, "NOT_A_PIN", Message(ByteText(weakness.explanation) + " The PIN was not changed."))
        case .newPINsDiffer:
            OutcomeRow(.tokenError, "NOT_CONFIRMED", Message("The two new PINs differ. The PIN was not changed."))
        case .changed: OutcomeRow(.success, MPinStatus.ok.word, Message("The PIN has been changed."))
        }
    }

    /// The rows of refusals, one for each status. The word in the log is the status.
    private static func refusal(
        _ status: MPinStatus, _ left: Int?, _ checked: MPinError.PINChecked, _ failure: Constant?
    ) -> OutcomeRow {
        let unanswered = Message.failure(failure ?? "The M-Pin server cannot be reached.", checked)
        let (code, message): (ReturnCode, Message?) =
            switch status {
            case .incorrectPIN: (.authError, Message(Message.wrong(left)))
            case .revoked:
                (
                    .permissionDenied,
                    Message(
                        "This enrollment is revoked or unknown to the server: ask your administrator.",
                        of: .revoked)
                )
            case .identityNotAuthorized:
                (.permissionDenied, Message("The server does not allow this login.\nAsk your administrator."))
            case .clientSecretExpired:
                (
                    .permissionDenied,
                    Message(
                        """
                        The server has new keys, and this enrollment is out of date.
                        Enroll again: sudo mpin-enroll recover
                        """)
                )
            case .networkError, .httpServerError, .responseParseError: (.authInfoUnavailable, unanswered)
            case .storageError, .cryptoError, .flowError: (.systemError, nil)
            case .pinInputCanceled: (.authError, nil)
            // The failure's own sentence names what was refused.
            case .requestExpired, .incorrectAccessNumber, .httpRequestError, .badUserAgent, .identityNotVerified:
                (.authError, unanswered)
            // A success status in a refusal is a contradiction.
            case .ok: (.systemError, nil)
            }
        return OutcomeRow(code, status.word, message, left: left)
    }
}

/// The result of a call: the return code for the host program, the message for the user.
package struct ModuleVerdict: Sendable {
    package let code: ReturnCode
    /// Nil if there is no message, or the caller may not see it.
    package let message: Message?

    init(_ code: ReturnCode, _ message: Message? = nil) {
        self.code = code
        self.message = message
    }

    @inline(never)
    init(_ outcome: LoginOutcome) {
        let row = outcome.row()
        self.init(row.code, row.message)
    }

    /// The verdict of an outcome, reduced to what the caller may know.
    ///
    /// - Parameters:
    ///   - ignoresUnenrolled: whether an account that is proven not to be enrolled is skipped.
    ///   - failure: the sentence of the failure itself.
    @inline(never)
    package init(
        _ outcome: LoginOutcome, for trust: CallerTrust, ignoresUnenrolled: Bool, failure: Constant? = nil
    ) {
        let row = outcome.row(failure: failure)
        if case .notEnrolled(isProven: true) = outcome, ignoresUnenrolled {
            self.init(.ignore)
        } else if trust == .stranger {
            self.init(ModuleVerdict.plain(row.code))
        } else {
            self.init(row.code, row.message)
        }
    }

    /// The return code for a stranger, instead of one that would reveal something about the account.
    private static func plain(_ code: ReturnCode) -> ReturnCode {
        switch code {
        case .maxTries, .permissionDenied, .userUnknown: .authError
        default: code
        }
    }
}
