internal import MPin
internal import MPinWire

extension Module {
    /// Lets somebody log in with their PIN: the authentication phase.
    package mutating func authenticate() -> ReturnCode {
        guard var call = begin("auth") else { return .conversationError }
        let outcome = settle(&call) ?? attempt(&call)
        let verdict = Verdict(
            outcome, for: call.standing, ignoresUnenrolled: call.configuration.ignoreUnenrolled)
        if call.wasAsked && call.hasRemoteHost && call.standing == .stranger && verdict.code != .success {
            let moment = call.started + Self.remoteFloor
            if host.milliseconds() < moment { host.wait(until: moment) }
        }
        return end(call, outcome, verdict)
    }

    private mutating func attempt(_ call: inout Call) -> Outcome {
        if let outcome = chooseMethod(&call) { return outcome }
        let enrolment: M.Registration?
        let hindrance: Outcome?
        (enrolment, hindrance) = find(call)
        if let hindrance, !(call.standing == .stranger && isHidden(hindrance, call)) { return hindrance }

        let handle = AttemptGuard(memory: host.memory)
        let isGuarded = call.configuration.guardLast && handle.isClosed
        if isGuarded && call.standing == .known { return .guarded }

        var pin: PIN
        do throws(MPinError) { pin = try PIN() } catch { return .storeUnusable(Text(error.sentence)) }
        if let outcome = question(&call, enrolment, into: &pin) { return outcome }
        // From here a stranger's call looks the same whoever they name.
        if let hindrance { return hindrance }
        if isGuarded { return .guarded }
        guard let enrolment else { return .storeUnusable("no registration") }
        return logIn(&call, enrolment, pin, handle)
    }

    /// Settles where the person is and how they have to prove who they are.
    mutating func chooseMethod(_ call: inout Call) -> Outcome? {
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

    /// Sends the PIN, once, and sees what came of it.
    private mutating func logIn(
        _ call: inout Call, _ enrolment: M.Registration, _ pin: borrowing PIN, _ handle: AttemptGuard
    ) -> Outcome {
        var handle = handle
        let outcome = Self.outcome(of: enrolment, &call) { (enrolment) throws(MPinError) in try enrolment.logIn(pin) }
        switch outcome {
        case .loggedIn: handle.reset()
        case .refused(.incorrectPIN, let left, _): handle.noteWrongPIN(attemptsLeft: left)
        case .blockedNow: handle.noteWrongPIN(attemptsLeft: 0)
        default: break
        }
        host.memory = handle.memory
        return outcome
    }

    /// What came of work with a registration.
    static func outcome(
        of enrolment: M.Registration, _ call: inout Call, _ work: (M.Registration) throws(MPinError) -> Void
    ) -> Outcome {
        do throws(MPinError) {
            try work(enrolment)
            return .loggedIn
        } catch {
            call.line.reason = Text(error.sentence)
            if enrolment.state == .blocked { return error.code == .incorrectPIN ? .blockedNow : .blockedBefore }
            if error.origin == .caller { return .failedHere(error) }
            return .refused(error.code, attemptsLeft: error.attemptsLeft, pinChecked: error.pinChecked)
        }
    }
}
