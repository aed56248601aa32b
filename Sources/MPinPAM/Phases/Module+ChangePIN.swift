internal import MPin
internal import MPinWire

extension Module {
    /// Proves the current PIN: the first half of a change.
    ///
    /// Accounts that are not enrolled are passed over, so that `passwd` works for them: there is no PIN to protect.
    package mutating func proveCurrentPIN() -> ReturnCode {
        guard let transaction = begin("password") else { return .conversationError }
        let (found, code) = changed(transaction)
        guard let registration = found else { return code }
        if registration.lastRefusal == .clientSecretExpired {
            return endRefused(transaction, .clientSecretExpired, with: .tokenError)
        }

        let policy = attemptPolicy(transaction, registration)
        if policy.isClosed { return end(transaction, .guarded, refusal(.guarded, transaction)) }
        let isLastTry = policy.isLastTry && transaction.trust == .known
        guard var pin = PIN.empty() else { return .systemError }
        let prompt = PromptText.current(account: transaction.account, machine: host.machineName())
        let answer = ask(transaction, registration, isLastTry: isLastTry, prompt, into: &pin)
        transaction.started = host.milliseconds()
        if let answer { return end(transaction, answer, refusal(answer, transaction)) }

        let outcome = send(pin, to: registration, transaction, isConfirmed: isLastTry)
        if case .loggedIn = outcome {
            host.keep(pin)
            return end(transaction, outcome, ModuleVerdict(.success))
        }
        return end(transaction, outcome, refusal(outcome, transaction))
    }

    /// Asks for the new PIN, twice, and puts it in the place of the proven one: the second half of a change.
    package mutating func setNewPIN() -> ReturnCode {
        guard let transaction = begin("password") else { return .conversationError }
        let (found, code) = changed(transaction)
        guard let registration = found else { return code }
        guard let old = host.takeKept() else { return .tokenError }

        guard var new = PIN.empty(), var again = PIN.empty() else { return .systemError }
        let first = host.ask(PromptText.new, into: &new)
        guard first == .text || first == .tooLong else { return endUnanswered(transaction, first) }
        if let weakness = first == .tooLong ? .shape : new.weakness() {
            return endChange(transaction, .weakPIN(weakness))
        }
        let second = host.ask(PromptText.newAgain, into: &again)
        guard second == .text || second == .tooLong else { return endUnanswered(transaction, second) }
        guard second == .text, new.equals(again) else {
            return endChange(transaction, .newPINsDiffer)
        }

        transaction.started = host.milliseconds()
        do throws(MPinError) { try registration.changePIN(from: old, to: new) } catch {
            let outcome = Self.outcome(error, of: registration, transaction)
            return end(transaction, outcome, refusal(outcome, transaction))
        }
        return endChange(transaction, .changed)
    }

    /// Ends a change by what the person sees in any case: they have proved the old PIN.
    @inline(never)
    private mutating func endChange(_ transaction: Transaction, _ outcome: LoginOutcome) -> ReturnCode {
        end(transaction, outcome, ModuleVerdict(outcome))
    }

    private mutating func endUnanswered(_ transaction: Transaction, _ answer: PromptAnswer) -> ReturnCode {
        answer == .failed
            ? end(transaction, .conversationFailed, ModuleVerdict(.conversationError))
            : end(transaction, .noAnswer, ModuleVerdict(.tokenError))
    }

    /// The registration whose PIN is to be changed, or the code that ends the call.
    ///
    /// A PIN is changed on the machine that holds its token, and never in a remote session.
    private mutating func changed(_ transaction: Transaction) -> (S.Registration?, ReturnCode) {
        var outcome = settle(transaction)
        if outcome == nil && ServiceList.unattended.contains(transaction.service) { outcome = .unattended }
        transaction.line.method = .pin
        if outcome == nil {
            let (registration, hindrance) = find(transaction)
            if case .notEnrolled? = hindrance, transaction.caller.accountName != nil { return (nil, .ignore) }
            if let registration, host.wantsAgedOnly, registration.lastRefusal != .clientSecretExpired {
                return (nil, .ignore)
            }
            outcome = transaction.locality == .remote ? .elsewhere : hindrance
            if outcome == nil { return (registration, .systemError) }
        }
        guard let outcome else { return (nil, .systemError) }
        return (nil, end(transaction, outcome, refusal(outcome, transaction)))
    }

    @inline(never)
    private func refusal(_ outcome: LoginOutcome, _ transaction: Transaction) -> ModuleVerdict {
        ModuleVerdict(outcome, for: transaction.trust, ignoresUnenrolled: false, failure: transaction.sentence)
    }
}
