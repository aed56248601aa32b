// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// Authenticates a user by PIN: pam_sm_authenticate.
    package mutating func authenticate() -> ReturnCode {
        guard let call = begin("auth") else { return .conversationError }
        let outcome = call.caller.isAnotherUser ? refuseAnother(call) : loadConfiguration(for: call) ?? attempt(call)
        if let code = relay(call, outcome, isAccountPhase: false) { return code }
        let verdict = verdict(outcome, call)
        if call.wasAsked && call.hasRemoteHost && call.trust == .stranger && verdict.code != .success {
            let moment = call.started + Self.remoteFloor
            if host.milliseconds() < moment { host.wait(until: moment) }
        }
        return end(call, outcome, verdict)
    }

    @inline(never)
    private func verdict(_ outcome: LoginOutcome, _ call: ModuleCall) -> ModuleVerdict {
        ModuleVerdict(
            outcome, for: call.trust, ignoresUnenrolled: call.configuration.ignoreUnenrolled, failure: call.sentence)
    }

    /// The outcome for a set-uid program that another user started: always the same refusal, and no prompt.
    ///
    /// If it is configured, an account that is proven to have no registration is skipped: `su -` to a root account
    /// without one has to continue with the password.
    private func refuseAnother(_ call: ModuleCall) -> LoginOutcome {
        guard loadConfiguration(for: call) == nil, call.configuration.ignoreUnenrolled,
            let obstacle = find(call).1, case .notEnrolled(isProven: true) = obstacle
        else { return .anotherUser }
        return obstacle
    }

    private mutating func attempt(_ call: ModuleCall) -> LoginOutcome {
        if let outcome = refusePlace(call) { return outcome }
        let registration: S.Registration?
        let obstacle: LoginOutcome?
        (registration, obstacle) = find(call)
        // A text can be a password. A stranger gets the same prompt for every account.
        let isText = registration?.hasTextSecret ?? false
        call.takesPassword = call.configuration.forwardsPassword && !(isText && call.trust == .known)
        if let obstacle, !(call.trust == .stranger && isHidden(obstacle, call)) { return obstacle }
        if system.isServerAbsent(call.configuration, call.trust == .known ? registration : nil) { return .serverAbsent }
        guard call.trust == .known, let registration else {
            return attemptOnce(call, registration, obstacle)
        }
        return attemptRepeatedly(call, registration)
    }

    /// Asks again after a mistyped PIN, as often as is configured, but never for the last try.
    private mutating func attemptRepeatedly(_ call: ModuleCall, _ registration: S.Registration) -> LoginOutcome {
        // A password from the stack would be the same again.
        var tries = call.configuration.firstPass == .required ? 1 : call.configuration.tries
        while true {
            let outcome = attemptOnce(call, registration, nil)
            tries -= 1
            guard tries > 0, outcome.isMistyped, !attemptPolicy(call, registration).isClosed else { return outcome }
            let verdict = verdict(outcome, call)
            writeLine(call, outcome, verdict)
            if let message = verdict.message { tell(message.text, call) }
            call.sentence = nil
        }
    }

    /// Makes one prompt and, if its answer can be the PIN, one login.
    @inline(never)
    private mutating func attemptOnce(
        _ call: ModuleCall, _ registration: S.Registration?, _ obstacle: LoginOutcome?
    ) -> LoginOutcome {
        let policy = attemptPolicy(call, registration)
        let isKnown = call.trust == .known
        if policy.isClosed && isKnown { return .lastTryKept }
        let isLastTry = policy.isLastTry && isKnown

        guard var pin = PIN.empty() else { return .noMemory }
        if let outcome = obtainPIN(
            call, registration, isLastTry: isLastTry, left: isKnown ? policy.shownLeft : nil, into: &pin)
        {
            return outcome
        }
        // From here on, a stranger's call looks the same for every account name.
        if let obstacle { return obstacle }
        if policy.isClosed { return .lastTryKept }
        guard let registration else { return .storeUnusable("no registration") }
        return send(pin, to: registration, call, isConfirmed: isLastTry)
    }

    /// Decides whether this login may use the PIN.
    mutating func refusePlace(_ call: ModuleCall) -> LoginOutcome? {
        if ServiceList.unattended.contains(call.service) { return .unattended }
        let refusal = MethodRule.refusal(call.locality, service: call.service, configuration: call.configuration)
        call.line.usesPIN = refusal == nil
        explain(call, "begin")
        guard let (reason, setting) = refusal else { return nil }
        // For a user without a token, the place is not the reason.
        if call.trust == .known, let obstacle = find(call).1, case .notEnrolled = obstacle { return obstacle }
        return .remote(reason: reason, setting)
    }

    /// Opens the registration. Also returns the outcome that prevents a login, if any.
    func find(_ call: ModuleCall) -> (S.Registration?, LoginOutcome?) {
        guard let name = call.caller.accountName, let user = call.caller.accountUID else {
            return (nil, .notEnrolled(isProven: false))
        }
        let registration: S.Registration
        do throws(RegistrationError) {
            registration = try system.openRegistration(of: name, user, call.configuration)
        } catch {
            switch error {
            case .store(.notEnrolled): return (nil, .notEnrolled(isProven: call.isNamedExactly))
            case .replaced:
                call.sentence = "the enrollment belongs to an account with this name and another user ID"
                return (nil, .notEnrolled(isProven: call.isNamedExactly))
            default: break
            }
            return (nil, error.outcome)
        }
        switch registration.state {
        case .registered: return (registration, nil)
        case .blocked: return (registration, .blockedBefore)
        case .invalid, .startedRegistration, .activated: return (registration, .unfinished)
        }
    }

    /// Whether a stranger is asked for a PIN anyway, because a missing prompt would reveal whether the account exists.
    private func isHidden(_ obstacle: LoginOutcome, _ call: ModuleCall) -> Bool {
        switch obstacle {
        case .notEnrolled(let isProven): !(isProven && call.configuration.ignoreUnenrolled)
        case .blockedBefore, .unfinished: true
        case .loggedIn, .refused, .failedHere, .deviceUnknown, .unproven, .keyLost, .blockedNow, .storeClosed,
            .storeUnusable, .misconfigured, .noAnswer, .conversationFailed, .password, .notAPIN, .notWhole,
            .notConfirmed, .lastTryKept, .serverAbsent, .unattended, .elsewhere, .anotherUser, .remote,
            .weakPIN, .newPINsDiffer, .changed:
            false
        }
    }
}

extension Module {
    /// Passes the call to mpin-agent if this process may not read the store, or cannot reach the server: polkit's
    /// helper may not use the network.
    ///
    /// - Returns: nil if the call ends here: for another outcome, or without an agent.
    @inline(never)
    mutating func relay(_ call: ModuleCall, _ outcome: LoginOutcome, isAccountPhase: Bool) -> ReturnCode? {
        // The agent would ask the user, which this stack does not want.
        switch outcome {
        case .storeClosed, .serverAbsent: break
        default: return nil
        }
        guard call.configuration.firstPass != .required, let path = call.configuration.agent else { return nil }
        let answer = host.askAgent(
            at: path, isAccountPhase: isAccountPhase, ignoresUnenrolled: call.configuration.ignoreUnenrolled,
            forwardsPassword: call.configuration.forwardsPassword)
        switch answer {
        case .absent: return nil
        // This is not a failure of the server.
        case .failed: return end(call, outcome, ModuleVerdict(.systemError))
        case .ended(let code):
            if code != .success && code != .ignore { host.requestDelay(microseconds: Self.failureDelay) }
            return code
        }
    }
}
