internal import MPin
internal import MPinWire

extension Module {
    /// What holds for the next attempt at a registration, as far as is known before anybody is asked.
    @inline(never)
    func attemptPolicy(_ call: Call, _ enrolment: M.Registration?) -> AttemptPolicy {
        AttemptPolicy(
            counts: enrolment?.attemptCounts, attemptsLeft: enrolment?.attemptsLeft,
            handle: AttemptGuard(memory: host.memory(of: call.accountName)), isGuarding: call.configuration.guardLast)
    }

    /// Sends the PIN, once, and sees what came of it.
    ///
    /// - Parameter isConfirmed: whether the person has typed the PIN twice, knowing that it is the last try.
    mutating func send(
        _ pin: borrowing PIN, to enrolment: M.Registration, _ call: Call, isConfirmed: Bool
    ) -> Outcome {
        var handle = AttemptGuard(memory: host.memory(of: call.accountName))
        // Judged again: other processes may have used tries up while this one waited for the answer.
        let counts = enrolment.beginAttempt()
        let policy = AttemptPolicy(
            counts: counts, attemptsLeft: enrolment.attemptsLeft, handle: handle,
            isGuarding: call.configuration.guardLast)
        let isKnown = call.standing == .known
        var mayNot = isKnown && policy.isLastTryNow && !isConfirmed
        if !isKnown && call.caller.controlsProcess {
            mayNot = !policy.strangerMaySend
            enrolment.keepNothing()
        }
        guard !policy.isClosed && !mayNot else {
            enrolment.endAttempt(.notCounted)
            return .guarded
        }
        var outcome = Outcome.loggedIn
        do throws(MPinError) { try enrolment.logIn(pin) } catch { outcome = Self.outcome(error, of: enrolment, call) }
        enrolment.endAttempt(outcome.attemptEnd)
        if case .loggedIn = outcome { handle.reset() } else { handle.note(outcome.attemptEnd) }
        host.setMemory(handle.memory, of: call.accountName)
        return outcome
    }

    /// What a failure at work with a registration means.
    @inline(never)
    static func outcome(_ error: MPinError, of enrolment: M.Registration, _ call: Call) -> Outcome {
        call.sentence = error.sentence
        if enrolment.state == .blocked { return error.code == .incorrectPIN ? .blockedNow : .blockedBefore }
        if error.origin == .caller { return .failedHere(error) }
        return .refused(error.code, attemptsLeft: error.attemptsLeft, pinChecked: error.pinChecked)
    }
}
