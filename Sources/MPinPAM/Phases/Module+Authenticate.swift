internal import MPin
internal import MPinWire

extension Module {
    /// Authenticates a user by PIN: pam_sm_authenticate.
    package mutating func authenticate() -> ReturnCode {
        guard let transaction = begin("auth") else { return .conversationError }
        let outcome = settle(transaction) ?? attempt(transaction)
        let verdict = verdict(outcome, transaction)
        if transaction.wasAsked && transaction.hasRemoteHost && transaction.trust == .stranger
            && verdict.code != .success
        {
            let moment = transaction.started + Self.remoteFloor
            if host.milliseconds() < moment { host.wait(until: moment) }
        }
        let code = end(transaction, outcome, verdict)
        if host.isSilent, let message = verdict.message { showInPrompt(message) }
        return code
    }

    /// Says in a prompt why something else will be asked for next, where the host shows no messages, as sudo does.
    ///
    /// What is typed there is thrown away.
    private mutating func showInPrompt(_ message: Message) {
        guard message.promptForm != .none, var ignored = PIN.empty() else { return }
        let prompt = message.promptForm == .blocked ? PromptText.blocked : PromptText.reason(message.text)
        _ = host.ask(prompt, into: &ignored)
    }

    @inline(never)
    private func verdict(_ outcome: LoginOutcome, _ transaction: Transaction) -> ModuleVerdict {
        ModuleVerdict(
            outcome, for: transaction.trust, ignoresUnenrolled: transaction.configuration.ignoreUnenrolled,
            failure: transaction.sentence)
    }

    private mutating func attempt(_ transaction: Transaction) -> LoginOutcome {
        if let outcome = chooseMethod(transaction) { return outcome }
        let registration: S.Registration?
        let hindrance: LoginOutcome?
        (registration, hindrance) = find(transaction)
        if let hindrance, !(transaction.trust == .stranger && isHidden(hindrance, transaction)) { return hindrance }
        if system.isServerAbsent(transaction.configuration, transaction.trust == .known ? registration : nil) {
            return .serverAbsent
        }
        guard transaction.trust == .known, let registration else {
            return attemptOnce(transaction, registration, hindrance, reason: nil)
        }
        return attemptRepeatedly(transaction, registration)
    }

    /// Asks again after a mistyped PIN, as often as is configured and as long as it is not the last try.
    private mutating func attemptRepeatedly(_ transaction: Transaction, _ registration: S.Registration) -> LoginOutcome
    {
        var reason: ByteText?
        if registration.lastRefusal == .revoked { reason = PromptText.revoked(registration.refusalReason) }
        // What the stack has collected would be the same again.
        var tries = transaction.configuration.firstPass == .required ? 1 : transaction.configuration.tries
        while true {
            let outcome = attemptOnce(transaction, registration, nil, reason: reason)
            tries -= 1
            reason = PromptText.again(after: outcome)
            guard tries > 0, reason != nil, !attemptPolicy(transaction, registration).isClosed else { return outcome }
            writeLine(transaction, outcome, verdict(outcome, transaction))
            transaction.sentence = nil
        }
    }

    /// One prompt and, when its answer can be the PIN, one login.
    @inline(never)
    private mutating func attemptOnce(
        _ transaction: Transaction, _ registration: S.Registration?, _ hindrance: LoginOutcome?, reason: ByteText?
    ) -> LoginOutcome {
        let policy = attemptPolicy(transaction, registration)
        let isKnown = transaction.trust == .known
        if policy.isClosed && isKnown { return .guarded }
        let isLastTry = policy.isLastTry && isKnown

        guard var pin = PIN.empty() else { return .noMemory }
        if let outcome = obtainPIN(transaction, registration, isLastTry: isLastTry, reason: reason, into: &pin) {
            return outcome
        }
        // From here a stranger's transaction looks the same for every account name.
        if let hindrance { return hindrance }
        if policy.isClosed { return .guarded }
        guard let registration else { return .storeUnusable("no registration") }
        return send(pin, to: registration, transaction, isConfirmed: isLastTry)
    }

    /// Decides whether the login is remote and by which method it has to be made.
    mutating func chooseMethod(_ transaction: Transaction) -> LoginOutcome? {
        if ServiceList.unattended.contains(transaction.service) { return .unattended }
        let choice = MethodRule.choose(
            transaction.locality, service: transaction.service, configuration: transaction.configuration)
        transaction.line.method = choice.method
        explain(transaction, "begin")
        return choice.method == .pin ? nil : .methodUnavailable(choice.method, choice.setting)
    }

    /// Opens the registration; with the outcome that prevents a login, where there is one.
    func find(_ transaction: Transaction) -> (S.Registration?, LoginOutcome?) {
        guard let name = transaction.caller.accountName else { return (nil, .notEnrolled(isProven: false)) }
        let registration: S.Registration
        do throws(RegistrationFault) {
            registration = try system.openRegistration(of: name, transaction.configuration)
        } catch {
            if case .store(.notEnrolled) = error { return (nil, .notEnrolled(isProven: transaction.isNamedExactly)) }
            return (nil, error.outcome)
        }
        switch registration.state {
        case .registered: return (registration, nil)
        case .blocked: return (registration, .blockedBefore)
        case .invalid, .startedRegistration, .activated: return (registration, .unfinished)
        }
    }

    /// Whether a stranger is asked for a PIN all the same, because the lack of a prompt would tell whether the account
    /// exists.
    private func isHidden(_ hindrance: LoginOutcome, _ transaction: Transaction) -> Bool {
        switch hindrance {
        case .notEnrolled(let isProven): !(isProven && transaction.configuration.ignoreUnenrolled)
        case .blockedBefore, .unfinished: true
        default: false
        }
    }
}
