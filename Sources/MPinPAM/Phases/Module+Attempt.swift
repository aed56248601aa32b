// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// Gets the PIN: from the stack if that is configured, otherwise with a prompt.
    ///
    /// - Parameters:
    ///   - isLastTry: whether a wrong PIN may block the registration, and the user may know that.
    ///   - left: how many tries are left, to show.
    ///   - pin: receives the PIN.
    /// - Returns: the outcome if there is no PIN to send, or nil.
    mutating func obtainPIN(
        _ call: ModuleCall, _ registration: S.Registration?, isLastTry: Bool, left: Int?, into pin: inout PIN
    ) -> LoginOutcome? {
        // A password from the stack would be the same again.
        let isFirst = !call.wasAsked
        defer { (call.started, call.wasAsked) = (host.milliseconds(), true) }
        switch call.configuration.firstPass {
        case .ignored: break
        case .tried:
            if isFirst, host.firstPass(into: &pin) == .text, isShaped(&pin, registration) {
                return isLastTry ? confirm(pin) : nil
            }
            pin.wipe()
        case .required:
            guard host.firstPass(into: &pin) == .text, isShaped(&pin, registration) else {
                return .notAPIN(isTold: false)
            }
            return isLastTry ? .lastTryKept : nil
        }
        let prompt = PromptText.pin(
            account: call.account, machine: host.machineName(),
            left: left, takesPassword: call.takesPassword, own: call.configuration.value(.prompt))
        return ask(call, registration, isLastTry: isLastTry, prompt, into: &pin)
    }

    /// Prompts for the PIN of a registration. The last try has its own prompt and is confirmed by a second one.
    @inline(never)
    mutating func ask(
        _ call: ModuleCall, _ registration: S.Registration?, isLastTry: Bool, _ prompt: ByteText,
        into pin: inout PIN
    ) -> LoginOutcome? {
        let prompt =
            isLastTry
            ? PromptText.lastTry(account: call.account, machine: host.machineName(), takesPassword: call.takesPassword)
            : prompt
        let answer = host.ask(prompt, into: &pin)
        let isText = registration?.hasTextSecret ?? false
        let outcome =
            call.takesPassword && !isText && answer == .text
            ? separate(&pin)
            : judge(answer, &pin, registration, isTold: !call.takesPassword && registration?.pinLength != nil)
        if let outcome { return outcome }
        return isLastTry ? confirm(pin) : nil
    }

    /// The outcome of an answer that cannot be the PIN, or nil.
    private func judge(
        _ answer: PromptAnswer, _ pin: inout PIN, _ registration: S.Registration?, isTold: Bool
    ) -> LoginOutcome? {
        switch answer {
        case .text: isShaped(&pin, registration) ? nil : .notAPIN(isTold: isTold)
        case .empty: .noAnswer
        case .tooLong: .notAPIN(isTold: isTold)
        case .failed: .conversationFailed
        }
    }

    /// Separates PINs from passwords, which are passed on to the next modules.
    ///
    /// Digits in the number of any PIN are a PIN, whatever the record says, so that the prompt does not reveal its length.
    /// Other digits may be a mistyped PIN, and are not passed on.
    private mutating func separate(_ answer: inout PIN) -> LoginOutcome? {
        if answer.isDigits(count: PIN.digits) { return nil }
        if answer.isDigits(count: 1...PIN.longest) { return .notWhole }
        host.forward(answer)
        return .password
    }

    /// Asks for the last try a second time.
    ///
    /// A program that answers faster than a person types has repeated its input, as screen lockers do. That confirms
    /// nothing.
    @inline(never)
    mutating func confirm(_ pin: borrowing PIN) -> LoginOutcome? {
        guard var again = PIN.empty() else { return .noMemory }
        let asked = host.milliseconds()
        let answer = host.ask(PromptText.again, into: &again)
        if answer == .text && host.milliseconds() - asked < Self.fastestPerson { return .lastTryKept }
        switch answer {
        case .text: return pin.equals(again) ? nil : .notConfirmed
        case .empty: return .noAnswer
        case .tooLong: return .notConfirmed
        case .failed: return .conversationFailed
        }
    }

    /// Whether an answer can be the PIN of a registration: digits, as many as were chosen.
    ///
    /// If the secret is not a PIN, any text without control characters can be: the text that sshd passes to a stack for
    /// users that do not exist begins with three control characters.
    private func isShaped(_ pin: inout PIN, _ registration: S.Registration?) -> Bool {
        guard let registration else { return pin.isDigits(count: PIN.digits) }
        if let length = registration.pinLength { return pin.isDigits(count: length...length) }
        var isVisible = !pin.isEmpty
        pin.fill(count: pin.count) { bytes in
            for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { isVisible = false }
        }
        return isVisible
    }
}

extension Module {
    /// The policy for the next attempt with a registration, as far as this machine knows the facts.
    ///
    /// - Parameter begins: whether to note the attempt, which is made now.
    @inline(never)
    func attemptPolicy(_ call: ModuleCall, _ registration: S.Registration?, begins: Bool = false)
        -> AttemptPolicy
    {
        AttemptPolicy(
            counts: begins ? registration?.beginAttempt() : registration?.attemptCounts,
            attemptsLeft: registration?.attemptsLeft, handle: HandleAttempts(memory: host.memory(of: call.accountName)),
            protectsLastTry: call.configuration.guardLast)
    }

    /// The policy for an attempt that is noted now.
    ///
    /// - Parameter waits: whether to wait for attempts of other programs, up to the time limit, if they decide whether
    ///   this is the last try.
    private mutating func attemptPolicy(
        _ call: ModuleCall, _ registration: S.Registration, waits: Bool
    ) -> AttemptPolicy {
        let end = host.milliseconds() + Int64(call.configuration.timeoutSeconds) * 1000
        while true {
            let policy = attemptPolicy(call, registration, begins: true)
            guard waits, !policy.isClosed, policy.isUndecided, host.milliseconds() < end else { return policy }
            registration.endAttempt(.notCounted)
            host.wait(until: host.milliseconds() + registration.pause)
        }
    }

    /// - Parameter isConfirmed: whether the user has typed the PIN twice, knowing that it is the last try.
    @inline(never)
    mutating func send(
        _ pin: borrowing PIN, to registration: S.Registration, _ call: ModuleCall, isConfirmed: Bool
    ) -> LoginOutcome {
        // Checked again: other processes may have used tries while this one waited for the answer.
        let isGuarded = call.trust == .known && !isConfirmed
        let policy = attemptPolicy(call, registration, waits: isGuarded)
        if policy.isClosed || (isGuarded && policy.isLastTryNow) {
            registration.endAttempt(.notCounted)
            return .lastTryKept
        }
        do throws(MPinError) { try registration.startAuthentication() } catch {
            registration.endAttempt(.notCounted)
            return Self.outcome(error, of: registration, call)
        }
        var outcome = LoginOutcome.loggedIn
        var attemptEnd = AttemptEnd.notCounted
        do throws(MPinError) { try registration.finishAuthentication(pin) } catch {
            outcome = Self.outcome(error, of: registration, call)
            attemptEnd = AttemptEnd(error, isBlocked: registration.state == .blocked)
        }
        registration.endAttempt(attemptEnd)
        var handle = HandleAttempts(memory: host.memory(of: call.accountName))
        if case .loggedIn = outcome {
            call.notice = Message.wrong(before: registration.wrongSinceLastLogin, own: handle.wrong)
            handle.reset()
        } else {
            handle.note(attemptEnd)
        }
        host.setMemory(handle.memory, of: call.accountName)
        return outcome
    }

    @inline(never)
    static func outcome(_ error: MPinError, of registration: S.Registration, _ call: ModuleCall) -> LoginOutcome {
        (call.sentence, call.line.prefix) = (error.sentence, error.prefix)
        switch error.cause {
        case .unknownIssuer, .foreignIssuer, .outOfDate, .otherName, .untrusted, .peer: call.isPeerRefused = true
        default: break
        }
        if registration.state == .blocked { return error.code == .incorrectPIN ? .blockedNow : .blockedBefore }
        if error.isLocal { return .failedHere(error) }
        if error.cause == .unknownDevice { return .deviceUnknown }
        if error.cause == .lostKey { return .keyLost }
        if error.cause == .unproven { return .unproven }
        return .refused(error.code, attemptsLeft: error.attemptsLeft, pinChecked: error.pinChecked)
    }
}
