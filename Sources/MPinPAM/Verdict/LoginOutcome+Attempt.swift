internal import MPin
internal import MPinWire

extension LoginOutcome {
    static var noMemory: LoginOutcome { .storeUnusable("no memory for the PIN") }

    /// What it means for the count of wrong PINs.
    var attemptEnd: AttemptEnd {
        switch self {
        case .blockedNow: return .wrong(left: 0)
        case .refused(.incorrectPIN, let left?, .yes): return .wrong(left: left)
        case .refused(_, _, let checked): return checked == .no ? .notCounted : .maybeCounted
        case .failedHere(let error): return error.pinChecked == .no ? .notCounted : .maybeCounted
        case .loggedIn, .deviceUnknown, .keyLost, .blockedBefore, .notEnrolled, .unfinished, .storeClosed,
            .storeUnusable,
            .misconfigured,
            .noAnswer, .conversationFailed, .notAPIN, .notConfirmed, .lastTryKept, .serverAbsent, .unattended,
            .elsewhere, .anotherUser, .methodUnavailable, .weakPIN, .newPINsDiffer, .changed:
            return .notCounted
        }
    }
}
