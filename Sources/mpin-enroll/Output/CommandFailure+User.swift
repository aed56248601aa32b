import MPin

// What is wrong with a registration, told by what is known of it here.
extension CommandFailure {
    /// A registration that cannot log in, before anything is asked.
    static func cannotLogIn(_ user: User) -> CommandFailure? {
        switch user.state {
        case .registered: nil
        case .blocked: blocked(user)
        case .startedRegistration, .activated:
            CommandFailure(
                .notVerified, "IDENTITY_NOT_VERIFIED", "The registration of \(user.identity) is not finished.",
                advice: goOn("register"))
        case .invalid: notEnrolled(user.identity, advice: register)
        }
    }

    static func blocked(_ user: User) -> CommandFailure {
        CommandFailure(
            .blocked, "INCORRECT_PIN", "\(user.identity) is BLOCKED at \(user.backend) after too many wrong PINs.",
            advice: recoverBlocked, attemptsLeft: 0)
    }

    static func revoked(_ user: User) -> CommandFailure {
        let reason = user.refusalReason.map { ": " + $0 } ?? "."
        return CommandFailure(
            .revoked, "REVOKED", "\(user.backend) has revoked the registration of \(user.identity)\(reason)",
            advice: recoverRevoked)
    }

    static func goOn(_ command: String) -> Advice { Advice("Go on with", command) }

    static let recoverBlocked = Advice(
        "With a code of the administrator's, by mail, or with the old PIN once it has been unblocked", "recover")

    static let recoverRevoked = Advice(
        "Ask the administrator of the server why. With a new code from there", "recover")

    static let recoverExpired = Advice("Register anew, beside the old registration, with", "recover")
}
