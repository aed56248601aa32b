internal import MPin
internal import MPinWire

extension Module {
    /// Lets somebody log in with their PIN: the authentication phase.
    package mutating func authenticate() -> ReturnCode {
        guard let call = begin("auth") else { return .conversationError }
        let outcome = settle(call) ?? attempt(call)
        let verdict = verdict(outcome, call)
        if call.wasAsked && call.hasRemoteHost && call.standing == .stranger && verdict.code != .success {
            let moment = call.started + Self.remoteFloor
            if host.milliseconds() < moment { host.wait(until: moment) }
        }
        let code = end(call, outcome, verdict)
        if host.isSilent, let message = verdict.message, message.belongsIntoPrompt { showInPrompt(message) }
        return code
    }

    /// Says in a prompt why something else will be asked for next, where the host shows no messages, as sudo does.
    ///
    /// What is typed there is thrown away.
    private mutating func showInPrompt(_ message: Message) {
        guard var ignored = PIN.empty() else { return }
        switch message {
        case .blocked, .blockedNow: _ = host.ask(PromptText.blocked, into: &ignored)
        default: _ = host.ask(PromptText.reason(message.text), into: &ignored)
        }
    }

    @inline(never)
    private func verdict(_ outcome: Outcome, _ call: Call) -> Verdict {
        Verdict(outcome, for: call.standing, ignoresUnenrolled: call.configuration.ignoreUnenrolled)
            .saying(call.sentence)
    }

    private mutating func attempt(_ call: Call) -> Outcome {
        if let outcome = chooseMethod(call) { return outcome }
        let enrolment: M.Registration?
        let hindrance: Outcome?
        (enrolment, hindrance) = find(call)
        if let hindrance, !(call.standing == .stranger && isHidden(hindrance, call)) { return hindrance }
        if machine.isServerAbsent(call.configuration, call.standing == .known ? enrolment : nil) {
            return .serverAbsent
        }
        guard call.standing == .known, let enrolment else {
            return attemptOnce(call, enrolment, hindrance, reason: nil)
        }
        return attemptRepeatedly(call, enrolment)
    }

    /// Asks somebody again who mistyped, as often as is configured and as long as it does not come to the last try.
    private mutating func attemptRepeatedly(_ call: Call, _ enrolment: M.Registration) -> Outcome {
        var reason: ByteText?
        if enrolment.lastRefusal == .revoked { reason = PromptText.revoked(enrolment.refusalReason) }
        // What the stack has collected would be the same again.
        var tries = call.configuration.firstPass == .required ? 1 : call.configuration.tries
        while true {
            let outcome = attemptOnce(call, enrolment, nil, reason: reason)
            tries -= 1
            reason = PromptText.again(after: outcome)
            guard tries > 0, reason != nil, !attemptPolicy(call, enrolment).isClosed else { return outcome }
            writeLine(call, outcome, verdict(outcome, call))
            call.sentence = nil
        }
    }

    /// One question and, when its answer can be the PIN, one login.
    @inline(never)
    private mutating func attemptOnce(
        _ call: Call, _ enrolment: M.Registration?, _ hindrance: Outcome?, reason: ByteText?
    ) -> Outcome {
        let policy = attemptPolicy(call, enrolment)
        let isKnown = call.standing == .known
        if policy.isClosed && isKnown { return .guarded }
        let isLastTry = policy.isLastTry && isKnown

        guard var pin = PIN.empty() else { return .noMemory }
        if let outcome = question(call, enrolment, isLastTry: isLastTry, reason: reason, into: &pin) {
            return outcome
        }
        // From here a stranger's call looks the same whoever they name.
        if let hindrance { return hindrance }
        if policy.isClosed { return .guarded }
        guard let enrolment else { return .storeUnusable("no registration") }
        return send(pin, to: enrolment, call, isConfirmed: isLastTry)
    }

    /// Settles where the person is and how they have to prove who they are.
    mutating func chooseMethod(_ call: Call) -> Outcome? {
        if ServiceList.unattended.contains(call.service) { return .unattended }
        let choice = MethodRule.choose(call.locality, service: call.service, configuration: call.configuration)
        call.line.method = choice.method
        explain(call, "begin")
        return choice.method == .pin ? nil : .methodUnavailable(choice.method, choice.setting)
    }

    /// The registration, and what keeps it from a login.
    func find(_ call: Call) -> (M.Registration?, Outcome?) {
        guard let name = call.caller.accountName else { return (nil, .notEnrolled(isProven: false)) }
        let enrolment: M.Registration
        do throws(EnrolmentFault) {
            enrolment = try machine.enrolment(of: name, call.configuration)
        } catch {
            if case .store(.notEnrolled) = error { return (nil, .notEnrolled(isProven: call.isNamedExactly)) }
            return (nil, error.outcome)
        }
        switch enrolment.state {
        case .registered: return (enrolment, nil)
        case .blocked: return (enrolment, .blockedBefore)
        case .invalid, .startedRegistration, .activated: return (enrolment, .unfinished)
        }
    }

    /// Whether a stranger is asked for a PIN all the same, because the lack of a question would tell them something.
    private func isHidden(_ hindrance: Outcome, _ call: Call) -> Bool {
        switch hindrance {
        case .notEnrolled(let isProven): !(isProven && call.configuration.ignoreUnenrolled)
        case .blockedBefore, .unfinished: true
        default: false
        }
    }
}
