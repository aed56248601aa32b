internal import MPin
internal import MPinWire

/// What a call of the module ends in: the code for the host, the sentence for the person.
package struct Verdict: Sendable {
    package let code: ReturnCode
    /// Nil where there is nothing to say, or nobody who may hear it.
    package let message: Message?

    init(_ code: ReturnCode, _ message: Message? = nil) {
        self.code = code
        self.message = message
    }

    /// The one table from what happened to what is said. Nothing leads to success but a complete proof.
    ///
    /// - Parameter ignoresUnenrolled: whether somebody of whom it is proven that they are not enrolled is passed over.
    package init(_ outcome: Outcome, for standing: Standing, ignoresUnenrolled: Bool) {
        let full = Verdict.full(outcome)
        if case .notEnrolled(isProven: true) = outcome, ignoresUnenrolled {
            self.init(.ignore)
        } else if standing == .stranger {
            self.init(Verdict.plain(full.code))
        } else {
            self = full
        }
    }

    /// The same with the sentence of the failure itself, which knows best why there was no answer.
    func saying(_ sentence: Constant?) -> Verdict {
        guard case .unreachable(let mayHaveCounted)? = message, let sentence else { return self }
        return Verdict(code, .failure(sentence, mayHaveCounted: mayHaveCounted))
    }

    /// What somebody is told who may know.
    private static func full(_ outcome: Outcome) -> Verdict {
        switch outcome {
        case .loggedIn: Verdict(.success)
        case .refused(let status, let left, let checked): refused(status, left, checked)
        case .failedHere(let error):
            Verdict(.systemError, .failure(error.sentence, mayHaveCounted: error.pinChecked != .no))
        case .blockedNow: Verdict(.maxTries, .blockedNow)
        case .blockedBefore: Verdict(.maxTries, .blocked)
        case .notEnrolled, .unfinished: Verdict(.userUnknown, .notEnrolled)
        case .storeClosed: Verdict(.authInfoUnavailable)
        case .storeUnusable: Verdict(.systemError, .storeUnusable)
        case .misconfigured: Verdict(.serviceError)
        case .noAnswer: Verdict(.authError)
        case .notAPIN(let length): Verdict(.authError, length.map { .notAPIN(length: $0) })
        case .conversationFailed: Verdict(.conversationError)
        case .notConfirmed: Verdict(.authError, .notConfirmed)
        case .guarded: Verdict(.maxTries, .guarded)
        case .serverAbsent: Verdict(.authInfoUnavailable, .serverAbsent)
        case .unattended: Verdict(.authInfoUnavailable)
        // The server may well be there: a stack that goes on without one must not go on here.
        case .methodUnavailable: Verdict(.permissionDenied)
        case .elsewhere: Verdict(.permissionDenied, .elsewhere)
        }
    }

    private static func refused(
        _ status: MPinStatus, _ left: Int?, _ checked: MPinError.PINChecked
    ) -> Verdict {
        let mayHaveCounted = checked != .no
        switch status {
        case .incorrectPIN: return Verdict(.authError, .wrongPIN(left: left))
        case .revoked: return Verdict(.permissionDenied, .revoked)
        case .identityNotAuthorized: return Verdict(.permissionDenied, .notAllowed)
        case .clientSecretExpired: return Verdict(.permissionDenied, .keysReplaced)
        case .networkError, .httpServerError, .responseParseError:
            return Verdict(.authInfoUnavailable, .unreachable(mayHaveCounted: mayHaveCounted))
        case .storageError, .cryptoError, .flowError: return Verdict(.systemError)
        case .pinInputCanceled: return Verdict(.authError)
        case .requestExpired, .incorrectAccessNumber, .httpRequestError, .badUserAgent, .identityNotVerified:
            // What was refused, the failure itself says.
            return Verdict(.authError, .unreachable(mayHaveCounted: mayHaveCounted))
        // A status of success beside a refusal contradicts itself.
        case .ok: return Verdict(.systemError)
        }
    }

    /// What a stranger is told in place of a code that would tell them something about the account.
    private static func plain(_ code: ReturnCode) -> ReturnCode {
        switch code {
        case .maxTries, .permissionDenied, .userUnknown: .authError
        default: code
        }
    }
}
