internal import MPin
internal import MPinWire

extension Module {
    /// Says what the last contact with the server means for the account: the account phase.
    ///
    /// From what is stored alone, without traffic and without a question.
    package mutating func account() -> ReturnCode {
        guard let transaction = begin("account") else { return .userUnknown }
        if let outcome = settle(transaction) { return end(transaction, outcome, ModuleVerdict(.serviceError)) }
        guard let name = transaction.caller.accountName else {
            return end(transaction, .notEnrolled(isProven: false), ModuleVerdict(.userUnknown))
        }
        let registration: S.Registration
        do throws(RegistrationFault) {
            registration = try system.openRegistration(of: name, transaction.configuration)
        } catch {
            switch error {
            case .store(.notEnrolled), .store(.noStore), .store(.badAccountName), .noneFits: return .ignore
            case .store: return end(transaction, error.outcome, ModuleVerdict(.systemError))
            case .ambiguous, .unmappable: return end(transaction, error.outcome, ModuleVerdict(.serviceError))
            }
        }
        switch (registration.state, registration.lastRefusal) {
        case (.invalid, _), (.startedRegistration, _), (.activated, _): return .ignore
        case (_, .revoked):
            return end(
                transaction, Self.stored(.revoked), ModuleVerdict(.accountExpired, message(.revoked, transaction)))
        case (_, .clientSecretExpired):
            // Not a change of the authentication token: no password stack could make it, and nobody would get in.
            return end(
                transaction, Self.stored(.clientSecretExpired),
                ModuleVerdict(.ignore, message(.keysReplaced, transaction)))
        default: return .success
        }
    }

    private static func stored(_ status: MPinStatus) -> LoginOutcome {
        .refused(status, attemptsLeft: nil, pinChecked: .no)
    }

    private func message(_ message: Message, _ transaction: Transaction) -> Message? {
        transaction.trust == .known ? message : nil
    }
}
