internal import MPin
internal import MPinWire

/// What a call of the module ends in: the code for the host, the sentence for the person.
package struct ModuleVerdict: Sendable {
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
    package init(_ outcome: LoginOutcome, for trust: CallerTrust, ignoresUnenrolled: Bool) {
        let full = ModuleVerdict.full(outcome)
        if case .notEnrolled(isProven: true) = outcome, ignoresUnenrolled {
            self.init(.ignore)
        } else if trust == .stranger {
            self.init(ModuleVerdict.plain(full.code))
        } else {
            self = full
        }
    }

    /// The same with the sentence of the failure itself, which knows best why there was no answer.
    func saying(_ sentence: Constant?) -> ModuleVerdict {
        guard case .unreachable(let mayHaveCounted)? = message, let sentence else { return self }
        return ModuleVerdict(code, .failure(sentence, mayHaveCounted: mayHaveCounted))
    }

    /// What somebody is told who may know.
    private static func full(_ outcome: LoginOutcome) -> ModuleVerdict {
        switch outcome {
        case .loggedIn: ModuleVerdict(.success)
        case .refused(let status, let left, let checked): refused(status, left, checked)
        case .failedHere(let error):
            ModuleVerdict(.systemError, .failure(error.sentence, mayHaveCounted: error.pinChecked != .no))
        case .blockedNow: ModuleVerdict(.maxTries, .blockedNow)
        case .blockedBefore: ModuleVerdict(.maxTries, .blocked)
        case .notEnrolled, .unfinished: ModuleVerdict(.userUnknown, .notEnrolled)
        case .storeClosed: ModuleVerdict(.authInfoUnavailable)
        case .storeUnusable: ModuleVerdict(.systemError, .storeUnusable)
        case .misconfigured: ModuleVerdict(.serviceError)
        case .noAnswer: ModuleVerdict(.authError)
        case .notAPIN(let length): ModuleVerdict(.authError, length.map { .notAPIN(length: $0) })
        case .conversationFailed: ModuleVerdict(.conversationError)
        case .notConfirmed: ModuleVerdict(.authError, .notConfirmed)
        case .guarded: ModuleVerdict(.maxTries, .guarded)
        case .serverAbsent: ModuleVerdict(.authInfoUnavailable, .serverAbsent)
        case .unattended: ModuleVerdict(.authInfoUnavailable)
        // The server may well be there: a stack that goes on without one must not go on here.
        case .methodUnavailable: ModuleVerdict(.permissionDenied)
        case .elsewhere: ModuleVerdict(.permissionDenied, .elsewhere)
        }
    }

    private static func refused(
        _ status: MPinStatus, _ left: Int?, _ checked: MPinError.PINChecked
    ) -> ModuleVerdict {
        let mayHaveCounted = checked != .no
        switch status {
        case .incorrectPIN: return ModuleVerdict(.authError, .wrongPIN(left: left))
        case .revoked: return ModuleVerdict(.permissionDenied, .revoked)
        case .identityNotAuthorized: return ModuleVerdict(.permissionDenied, .notAllowed)
        case .clientSecretExpired: return ModuleVerdict(.permissionDenied, .keysReplaced)
        case .networkError, .httpServerError, .responseParseError:
            return ModuleVerdict(.authInfoUnavailable, .unreachable(mayHaveCounted: mayHaveCounted))
        case .storageError, .cryptoError, .flowError: return ModuleVerdict(.systemError)
        case .pinInputCanceled: return ModuleVerdict(.authError)
        case .requestExpired, .incorrectAccessNumber, .httpRequestError, .badUserAgent, .identityNotVerified:
            // What was refused, the failure itself says.
            return ModuleVerdict(.authError, .unreachable(mayHaveCounted: mayHaveCounted))
        // A status of success beside a refusal contradicts itself.
        case .ok: return ModuleVerdict(.systemError)
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
