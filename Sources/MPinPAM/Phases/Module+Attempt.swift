internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// What holds for the next attempt at a registration, as far as is known on this machine.
    ///
    /// - Parameter begins: whether the attempt is made now, and noted.
    @inline(never)
    func attemptPolicy(_ call: ModuleCall, _ registration: S.Registration?, begins: Bool = false)
        -> AttemptPolicy
    {
        AttemptPolicy(
            counts: begins ? registration?.beginAttempt() : registration?.attemptCounts,
            attemptsLeft: registration?.attemptsLeft,
            handle: HandleAttempts(memory: host.memory(of: call.accountName)),
            protectsLastTry: call.configuration.guardLast)
    }

    /// Sends the PIN and returns the outcome.
    ///
    /// The server is asked to keep the last try unless the owner has confirmed that it may be spent, and always for
    /// callers other than the owner in a program that every local user can start. Of servers that cannot keep it, this
    /// machine knows less: what they said last, and what is noted here.
    /// - Parameter isConfirmed: whether the person has typed the PIN twice, knowing that it is the last try.
    mutating func send(
        _ pin: borrowing PIN, to registration: S.Registration, _ call: ModuleCall, isConfirmed: Bool
    ) -> LoginOutcome {
        let isKnown = call.trust == .known
        let isForeign = !isKnown && call.isOpenToStrangers
        if isForeign { registration.keepNothing() }
        let keepsLastTry = isForeign || isKnown && !isConfirmed && call.configuration.guardLast
        if let outcome = sendOnce(pin, to: registration, call, keepsLastTry: keepsLastTry) { return outcome }
        guard isKnown, call.configuration.firstPass != .required else { return .lastTryKept }
        if let outcome = confirm(pin, by: PromptText.kept(isLast: !call.hasManyWrong)) { return outcome }
        return sendOnce(pin, to: registration, call, keepsLastTry: false) ?? .lastTryKept
    }

    /// Makes one attempt.
    ///
    /// - Returns: nil where it was not made, because a wrong PIN would block the registration, or might.
    @inline(never)
    private mutating func sendOnce(
        _ pin: borrowing PIN, to registration: S.Registration, _ call: ModuleCall, keepsLastTry: Bool
    ) -> LoginOutcome? {
        do throws(MPinError) { try registration.startLogin() } catch {
            return Self.outcome(error, of: registration, call)
        }
        let isKnown = call.trust == .known
        let isKept = keepsLastTry && registration.serverKeepsLastTry
        // Judged again: other processes may have used tries up while this one waited for the answer. What strangers try
        // leaves no note where the server keeps the last try: it would only worry the owner.
        let policy = attemptPolicy(call, registration, begins: isKnown || !isKept)
        if policy.isClosed { return ended(.lastTryKept, registration) }
        if keepsLastTry, !isKept, isKnown ? policy.isLastTryNow : !policy.strangerMaySend {
            return ended(nil, registration)
        }
        var outcome = LoginOutcome.loggedIn
        do throws(MPinError) { try registration.finishLogin(pin, keepsLastTry: keepsLastTry) } catch {
            if keepsLastTry && error.isLastTryKept {
                call.hasManyWrong = error.attemptsLeft ?? 1 > 1
                return ended(nil, registration)
            }
            outcome = Self.outcome(error, of: registration, call)
        }
        registration.endAttempt(outcome.attemptEnd)
        var handle = HandleAttempts(memory: host.memory(of: call.accountName))
        if case .loggedIn = outcome {
            call.notice = Message.wrong(before: registration.wrongSinceLastLogin, own: handle.wrong)
            handle.reset()
        } else {
            handle.note(outcome.attemptEnd)
        }
        host.setMemory(handle.memory, of: call.accountName)
        return outcome
    }

    /// Ends an attempt that the server cannot have counted.
    @inline(never)
    private func ended(_ outcome: LoginOutcome?, _ registration: S.Registration) -> LoginOutcome? {
        registration.endAttempt(.notCounted)
        return outcome
    }

    /// The outcome for a failed SDK call.
    @inline(never)
    static func outcome(_ error: MPinError, of registration: S.Registration, _ call: ModuleCall) -> LoginOutcome {
        call.sentence = error.sentence
        if registration.state == .blocked { return error.code == .incorrectPIN ? .blockedNow : .blockedBefore }
        if error.isLocal { return .failedHere(error) }
        if error.cause == .unknownDevice { return .deviceUnknown }
        if error.cause == .lostKey { return .keyLost }
        return .refused(error.code, attemptsLeft: error.attemptsLeft, pinChecked: error.pinChecked)
    }
}
