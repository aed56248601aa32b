internal import MPin
internal import MPinWire

extension Module {
    /// What holds for the next attempt at a registration, as far as is known on this machine.
    ///
    /// - Parameter begins: whether the attempt is made now, and noted.
    @inline(never)
    func attemptPolicy(_ call: Call, _ enrolment: M.Registration?, begins: Bool = false) -> AttemptPolicy {
        AttemptPolicy(
            counts: begins ? enrolment?.beginAttempt() : enrolment?.attemptCounts,
            attemptsLeft: enrolment?.attemptsLeft, handle: AttemptGuard(memory: host.memory(of: call.accountName)),
            isGuarding: call.configuration.guardLast)
    }

    /// Sends the PIN, and sees what came of it.
    ///
    /// Whoever has not confirmed that it may be the last try before a block has the server keep that one, and so does
    /// everybody who is not the owner in a program that anybody can start. Of servers that cannot keep it, this machine
    /// knows less: what they said last, and what is noted here.
    /// - Parameter isConfirmed: whether the person has typed the PIN twice, knowing that it is the last try.
    mutating func send(
        _ pin: borrowing PIN, to enrolment: M.Registration, _ call: Call, isConfirmed: Bool
    ) -> Outcome {
        let isKnown = call.standing == .known
        let isForeign = !isKnown && call.isOpenToStrangers
        if isForeign { enrolment.keepNothing() }
        let keepsLastTry = isForeign || isKnown && !isConfirmed && call.configuration.guardLast
        if let outcome = sendOnce(pin, to: enrolment, call, keepsLastTry: keepsLastTry) { return outcome }
        guard isKnown, call.configuration.firstPass != .required else { return .guarded }
        if let outcome = confirm(pin, by: PromptText.lastTryAgain) { return outcome }
        return sendOnce(pin, to: enrolment, call, keepsLastTry: false) ?? .guarded
    }

    /// Makes one attempt.
    ///
    /// - Returns: nil where it was not made, because a wrong PIN would block the registration, or might.
    @inline(never)
    private mutating func sendOnce(
        _ pin: borrowing PIN, to enrolment: M.Registration, _ call: Call, keepsLastTry: Bool
    ) -> Outcome? {
        do throws(MPinError) { try enrolment.prepareLogin() } catch { return Self.outcome(error, of: enrolment, call) }
        let isKnown = call.standing == .known
        let isKept = keepsLastTry && enrolment.serverKeepsLastTry
        // Judged again: other processes may have used tries up while this one waited for the answer. What strangers try
        // leaves no note where the server keeps the last try: it would only worry the owner.
        let policy = attemptPolicy(call, enrolment, begins: isKnown || !isKept)
        if policy.isClosed { return ended(.guarded, enrolment) }
        if keepsLastTry, !isKept, isKnown ? policy.isLastTryNow : !policy.strangerMaySend {
            return ended(nil, enrolment)
        }
        var outcome = Outcome.loggedIn
        do throws(MPinError) { try enrolment.logIn(pin, keepsLastTry: keepsLastTry) } catch {
            if keepsLastTry && error.isLastTryKept { return ended(nil, enrolment) }
            outcome = Self.outcome(error, of: enrolment, call)
        }
        enrolment.endAttempt(outcome.attemptEnd)
        var handle = AttemptGuard(memory: host.memory(of: call.accountName))
        if case .loggedIn = outcome {
            call.notice = Message.wrong(before: enrolment.wrongSinceLastLogin, own: handle.wrong)
            handle.reset()
        } else {
            handle.note(outcome.attemptEnd)
        }
        host.setMemory(handle.memory, of: call.accountName)
        return outcome
    }

    /// Ends an attempt by which nothing was sent that could count.
    @inline(never)
    private func ended(_ outcome: Outcome?, _ enrolment: M.Registration) -> Outcome? {
        enrolment.endAttempt(.notCounted)
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
