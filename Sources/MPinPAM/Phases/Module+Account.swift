internal import MPin
internal import MPinWire

extension Module {
    /// Says what the last contact with the server means for the account: the account phase.
    ///
    /// From what is stored alone, without traffic and without a question.
    package mutating func account() -> ReturnCode {
        guard let call = begin("account") else { return .userUnknown }
        if let outcome = settle(call) { return end(call, outcome, Verdict(.serviceError)) }
        guard let name = call.caller.accountName else {
            return end(call, .notEnrolled(isProven: false), Verdict(.userUnknown))
        }
        let enrolment: M.Registration
        do throws(EnrolmentFault) {
            enrolment = try machine.enrolment(of: name, call.configuration)
        } catch {
            switch error {
            case .store(.notEnrolled), .store(.noStore), .store(.badAccountName), .noneFits: return .ignore
            case .store: return end(call, error.outcome, Verdict(.systemError))
            case .ambiguous, .unmappable: return end(call, error.outcome, Verdict(.serviceError))
            }
        }
        switch (enrolment.state, enrolment.lastRefusal) {
        case (.invalid, _), (.startedRegistration, _), (.activated, _): return .ignore
        case (_, .revoked): return end(call, Self.stored(.revoked), Verdict(.accountExpired, message(.revoked, call)))
        case (_, .clientSecretExpired):
            // Not a change of the authentication token: no password stack could make it, and nobody would get in.
            return end(call, Self.stored(.clientSecretExpired), Verdict(.ignore, message(.keysReplaced, call)))
        default: return .success
        }
    }

    private static func stored(_ status: MPinStatus) -> Outcome {
        .refused(status, attemptsLeft: nil, pinChecked: .no)
    }

    private func message(_ message: Message, _ call: Call) -> Message? {
        call.standing == .known ? message : nil
    }
}
