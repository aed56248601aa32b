package import MPin
package import MPinWire

/// What happened in a call, before it is decided who is told what.
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

    /// The word for it in the log: the status where there is one.
    package var name: StaticString {
        switch self {
        case .loggedIn: MPinStatus.ok.name
        case .refused(let status, _, _): status.name
        case .failedHere(let error): error.code.name
        case .blockedNow: MPinStatus.incorrectPIN.name
        case .blockedBefore: UserState.blocked.name
        case .notEnrolled: "NOT_ENROLLED"
        case .unfinished: "NOT_ENROLLED"
        case .storeClosed: "STORE_NOT_READABLE"
        case .storeUnusable: MPinStatus.storageError.name
        case .misconfigured: "CONFIGURATION"
        case .noAnswer: MPinStatus.pinInputCanceled.name
        case .conversationFailed: "CONVERSATION"
        case .notAPIN: "NOT_A_PIN"
        case .notConfirmed: "NOT_CONFIRMED"
        case .guarded: "LAST_TRY_KEPT"
        case .serverAbsent: MPinStatus.networkError.name
        case .unattended: "UNATTENDED"
        case .elsewhere: "ELSEWHERE"
        case .methodUnavailable: "METHOD_UNAVAILABLE"
        }
    }

    /// How many tries are left, where that was learnt.
    @inline(never)
    package var attemptsLeft: Int? {
        switch self {
        case .refused(_, let left, _): left
        case .blockedNow, .blockedBefore: 0
        default: nil
        }
    }
}
