internal import MPin
internal import MPinWire

extension Module {
    /// Proves the current PIN: the first half of a change.
    ///
    /// Somebody who is not enrolled is passed over, so that `passwd` works for everybody: there is no PIN to protect.
    package mutating func proveCurrentPIN() -> ReturnCode {
        guard let call = begin("password") else { return .conversationError }
        let (registration, code) = changed(call)
        guard let enrolment = registration else { return code }
        if enrolment.lastRefusal == .clientSecretExpired {
            let outcome = Outcome.refused(.clientSecretExpired, attemptsLeft: nil, pinChecked: .no)
            return end(call, outcome, Verdict(.tokenError, call.standing == .known ? .keysReplaced : nil))
        }

        let policy = attemptPolicy(call, enrolment)
        if policy.isClosed { return end(call, .guarded, refusal(.guarded, call)) }
        let isLastTry = policy.isLastTry && call.standing == .known
        guard var pin = PIN.empty() else { return .systemError }
        let prompt = PromptText.current(account: call.account, machine: host.machineName())
        let answer = ask(call, enrolment, isLastTry: isLastTry, prompt, into: &pin)
        call.started = host.milliseconds()
        if let answer { return end(call, answer, refusal(answer, call)) }

        let outcome = send(pin, to: enrolment, call, isConfirmed: isLastTry)
        if case .loggedIn = outcome {
            host.keep(pin)
            return end(call, outcome, Verdict(.success))
        }
        return end(call, outcome, refusal(outcome, call))
    }

    /// Asks for the new PIN, twice, and puts it in the place of the proven one: the second half of a change.
    package mutating func setNewPIN() -> ReturnCode {
        guard let call = begin("password") else { return .conversationError }
        let (registration, code) = changed(call)
        guard let enrolment = registration else { return code }
        guard let old = host.takeKept() else { return .tokenError }

        guard var new = PIN.empty(), var again = PIN.empty() else { return .systemError }
        let first = host.ask(PromptText.new, into: &new)
        guard first == .text || first == .tooLong else { return endUnanswered(call, first) }
        if let weakness = first == .tooLong ? .shape : new.weakness() {
            return end(call, .notAPIN(length: nil), Verdict(.tokenError, .refusedPIN(weakness)))
        }
        let second = host.ask(PromptText.newAgain, into: &again)
        guard second == .text || second == .tooLong else { return endUnanswered(call, second) }
        guard second == .text, new.equals(again) else {
            return end(call, .notConfirmed, Verdict(.tokenError, .newPINsDiffer))
        }

        call.started = host.milliseconds()
        do throws(MPinError) { try enrolment.changePIN(from: old, to: new) } catch {
            let outcome = Self.outcome(error, of: enrolment, call)
            return end(call, outcome, refusal(outcome, call))
        }
        return end(call, .loggedIn, Verdict(.success, .changed))
    }

    private mutating func endUnanswered(_ call: Call, _ answer: Answer) -> ReturnCode {
        answer == .failed
            ? end(call, .conversationFailed, Verdict(.conversationError)) : end(call, .noAnswer, Verdict(.tokenError))
    }

    /// The registration whose PIN is to be changed, or the code that ends the call.
    ///
    /// A PIN is changed where its token lies, and by nobody who comes over the network.
    private mutating func changed(_ call: Call) -> (M.Registration?, ReturnCode) {
        var outcome = settle(call)
        if outcome == nil && ServiceList.unattended.contains(call.service) { outcome = .unattended }
        call.line.method = .pin
        if outcome == nil {
            let (enrolment, hindrance) = find(call)
            if case .notEnrolled? = hindrance, call.caller.accountName != nil { return (nil, .ignore) }
            if let enrolment, host.wantsAgedOnly, enrolment.lastRefusal != .clientSecretExpired {
                return (nil, .ignore)
            }
            outcome = call.locality == .remote ? .elsewhere : hindrance
            if outcome == nil { return (enrolment, .systemError) }
        }
        guard let outcome else { return (nil, .systemError) }
        return (nil, end(call, outcome, refusal(outcome, call)))
    }

    @inline(never)
    private func refusal(_ outcome: Outcome, _ call: Call) -> Verdict {
        Verdict(outcome, for: call.standing, ignoresUnenrolled: false).saying(call.sentence)
    }
}
