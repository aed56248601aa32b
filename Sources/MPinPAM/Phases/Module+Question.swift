internal import MPin
internal import MPinWire

extension Module {
    /// Gets the PIN: from the stack where that is settled, from the person otherwise.
    ///
    /// - Parameter pin: receives it.
    /// - Returns: why there is none that could be sent, or nil.
    mutating func question(_ call: inout Call, _ enrolment: M.Registration?, into pin: inout PIN) -> Outcome? {
        defer { (call.started, call.wasAsked) = (host.milliseconds(), true) }
        let isLastTry =
            call.configuration.guardLast && call.standing == .known && enrolment?.attemptsLeft == 1
        switch call.configuration.firstPass {
        case .ignored: break
        case .tried:
            if host.firstPass(into: &pin) == .text, isShaped(&pin, enrolment) {
                return isLastTry ? confirm(pin) : nil
            }
            pin.wipe()
        case .required:
            guard host.firstPass(into: &pin) == .text, isShaped(&pin, enrolment) else { return .notAPIN }
            return isLastTry ? .guarded : nil
        }
        let prompt =
            isLastTry
            ? PromptText.lastTry(account: call.account, machine: host.machineName())
            : PromptText.pin(
                account: call.account, machine: host.machineName(),
                left: call.standing == .known ? enrolment?.attemptsLeft : nil, own: call.configuration.value(.prompt))
        if let outcome = judge(host.ask(prompt, into: &pin), &pin, enrolment) { return outcome }
        return isLastTry ? confirm(pin) : nil
    }

    /// What is wrong with an answer, or nil.
    func judge(_ answer: Answer, _ pin: inout PIN, _ enrolment: M.Registration?) -> Outcome? {
        switch answer {
        case .text: isShaped(&pin, enrolment) ? nil : .notAPIN
        case .empty: .noAnswer
        case .tooLong: .notAPIN
        case .failed: .conversationFailed
        }
    }

    /// Has the last try typed a second time.
    private mutating func confirm(_ pin: borrowing PIN) -> Outcome? {
        var again: PIN
        do throws(MPinError) { again = try PIN() } catch { return .storeUnusable(Text(error.sentence)) }
        switch host.ask(PromptText.again, into: &again) {
        case .text: return pin.equals(again) ? nil : .notConfirmed
        case .empty: return .noAnswer
        case .tooLong: return .notConfirmed
        case .failed: return .conversationFailed
        }
    }

    /// Whether an answer can be the PIN of a registration: digits, as many as were chosen.
    ///
    /// Where the secret is no PIN, anything without control characters can be: what sshd feeds to a stack for users that
    /// do not exist begins with three of them.
    private func isShaped(_ pin: inout PIN, _ enrolment: M.Registration?) -> Bool {
        guard let enrolment else { return pin.isDigits(count: PIN.digits) }
        if let length = enrolment.pinLength { return pin.isDigits(count: length...length) }
        var isVisible = !pin.isEmpty
        pin.fill(count: pin.count) { bytes in
            for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { isVisible = false }
        }
        return isVisible
    }
}
