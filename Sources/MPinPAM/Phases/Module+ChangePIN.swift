// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// Proves the current PIN: the first half of a change.
    ///
    /// Accounts that are not enrolled are skipped, so that `passwd` works for them: there is no PIN to protect.
    package mutating func proveCurrentPIN() -> ReturnCode {
        guard let call = begin("password") else { return .conversationError }
        let (found, code) = changed(call)
        guard let registration = found else { return code }
        if registration.lastRefusal == .clientSecretExpired {
            return endRefused(call, .clientSecretExpired, with: .tokenError)
        }

        let policy = attemptPolicy(call, registration)
        if policy.isClosed { return end(call, .lastTryKept, refusal(.lastTryKept, call)) }
        let isLastTry = policy.isLastTry && call.trust == .known
        guard var pin = PIN.empty() else { return .systemError }
        let prompt = PromptText.current(account: call.account, machine: host.machineName())
        let answer = ask(call, registration, isLastTry: isLastTry, prompt, into: &pin)
        call.started = host.milliseconds()
        if let answer { return end(call, answer, refusal(answer, call)) }

        let outcome = send(pin, to: registration, call, isConfirmed: isLastTry)
        if case .loggedIn = outcome {
            host.keep(pin)
            return end(call, outcome, ModuleVerdict(.success))
        }
        return end(call, outcome, refusal(outcome, call))
    }

    /// Asks for the new PIN, twice, and replaces the proven one: the second half of a change.
    package mutating func setNewPIN() -> ReturnCode {
        guard let call = begin("password") else { return .conversationError }
        let (found, code) = changed(call)
        guard let registration = found else { return code }
        guard let old = host.takeKept() else { return .tokenError }

        guard var new = PIN.empty(), var again = PIN.empty() else { return .systemError }
        let first = host.ask(PromptText.new, into: &new)
        guard first == .text || first == .tooLong else { return endUnanswered(call, first) }
        if let weakness = first == .tooLong ? .shape : new.weakness() { return endChange(call, .weakPIN(weakness)) }
        let second = host.ask(PromptText.newAgain, into: &again)
        guard second == .text || second == .tooLong else { return endUnanswered(call, second) }
        guard second == .text, new.equals(again) else { return endChange(call, .newPINsDiffer) }

        call.started = host.milliseconds()
        do throws(MPinError) { try registration.changePIN(from: old, to: new) } catch {
            let outcome = Self.outcome(error, of: registration, call)
            return end(call, outcome, refusal(outcome, call))
        }
        return endChange(call, .changed)
    }

    /// Ends a change with a message that the user always sees, because they have proved the old PIN.
    @inline(never)
    private mutating func endChange(_ call: ModuleCall, _ outcome: LoginOutcome) -> ReturnCode {
        end(call, outcome, ModuleVerdict(outcome))
    }

    private mutating func endUnanswered(_ call: ModuleCall, _ answer: PromptAnswer) -> ReturnCode {
        answer == .failed
            ? end(call, .conversationFailed, ModuleVerdict(.conversationError))
            : end(call, .noAnswer, ModuleVerdict(.tokenError))
    }

    /// The registration whose PIN is to be changed, or the code that ends the call.
    ///
    /// A PIN is changed on the machine that has its token, and never in a remote session.
    private mutating func changed(_ call: ModuleCall) -> (S.Registration?, ReturnCode) {
        var outcome = loadConfiguration(for: call)
        if outcome == nil && ServiceList.unattended.contains(call.service) { outcome = .unattended }
        call.line.usesPIN = true
        if outcome == nil {
            let (registration, obstacle) = find(call)
            if case .notEnrolled? = obstacle, call.caller.accountName != nil { return (nil, .ignore) }
            if let registration, host.wantsAgedOnly, registration.lastRefusal != .clientSecretExpired {
                return (nil, .ignore)
            }
            if case .remote = call.locality { outcome = .elsewhere } else { outcome = obstacle }
            if outcome == nil && !call.caller.isAnotherUser { return (registration, .systemError) }
        }
        if call.caller.isAnotherUser { outcome = .anotherUser }
        guard let outcome else { return (nil, .systemError) }
        return (nil, end(call, outcome, refusal(outcome, call)))
    }

    @inline(never)
    private func refusal(_ outcome: LoginOutcome, _ call: ModuleCall) -> ModuleVerdict {
        ModuleVerdict(outcome, for: call.trust, ignoresUnenrolled: false, failure: call.sentence)
    }
}
