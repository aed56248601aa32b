import MPin

// Failures of a registration, from its stored state.
extension CommandFailure {
    /// The failure for a registration that cannot log in; `nil` for one that can.
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
        // Servers answer the same for registrations that they do not know.
        let reason = user.refusalReason.map { ": " + $0 } ?? ", or does not know it any more."
        return CommandFailure(
            .revoked, "REVOKED", "\(user.backend) has revoked the registration of \(user.identity)\(reason)",
            advice: recoverRevoked(user))
    }

    static func unknownDevice(_ user: User) -> CommandFailure {
        CommandFailure(
            .secretsExpired, "CLIENT_SECRET_EXPIRED",
            "\(user.backend) does not know this device: it has no registration of \(user.identity) with this key. Nothing was "
                + "judged.", advice: recoverExpired)
    }

    /// - Parameter isOther: whether the server has another ID than at registration; `nil` when that is unknown.
    static func secretsExpired(_ user: User, isOther: Bool?) -> CommandFailure {
        let other =
            "\(user.backend) is not the server of this enrolment of \(user.identity): it was set up anew, or the "
            + "address leads to another. Nothing was sent."
        let keys = "\(user.backend) has replaced its keys since this enrolment."
        let either = "\(user.backend) was set up anew or has other keys since this enrolment of \(user.identity)."
        return CommandFailure(
            .secretsExpired, "CLIENT_SECRET_EXPIRED", isOther.map { $0 ? other : keys } ?? either,
            advice: CommandFailure.recoverExpired)
    }

    static func goOn(_ command: String) -> Advice { Advice("Go on with", command) }

    static let recoverBlocked = Advice(
        "With a backup code, a code of the administrator's or of a mail, or with the old PIN once it has been unblocked",
        "recover")

    static func recoverRevoked(_ user: User) -> Advice {
        Advice(
            "Only the administrator of the server can take that back (mpin-server user restore "
                + "\(CommonOptions.quoted(user.identity))) or give a new code (mpin-server invite "
                + "\(CommonOptions.quoted(user.identity))). With the code", "recover")
    }

    static let recoverExpired = Advice(
        "Register anew beside the old registration, with a code of the administrator's where one is wanted", "recover")
}
