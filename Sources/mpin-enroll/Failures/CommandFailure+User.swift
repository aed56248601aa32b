// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent

// Failures of a registration, from its stored state.
extension CommandFailure {
    /// The failure for a registration that cannot log in; `nil` for one that can.
    static func cannotLogIn(_ user: RegistrationSummary) -> CommandFailure? {
        switch user.state {
        case .registered: nil
        case .blocked: blocked(user)
        case .startedRegistration, .activated:
            CommandFailure(
                .notVerified, "IDENTITY_NOT_VERIFIED", "The enrollment of \(user.identity) is not finished.",
                advice: goOn("register", of: Advice.Subject(user)))
        case .invalid: notEnrolled(user.identity, advice: register)
        }
    }

    /// - Parameter isProven: whether the server has signed the refusal.
    static func refusedCode(at server: String, for identity: String, isProven: Bool) -> CommandFailure {
        let advice = Advice(
            "Check for a mistyped character. A code works once, until it expires, for one identity (--identity)."
        ).adding("Ask the administrator for a new code.")
        return CommandFailure(
            .notPermitted, "IDENTITY_NOT_AUTHORIZED", "\(server) did not accept this code for '\(identity)'.",
            advice: isProven
                ? advice
                : advice.adding(
                    "If the code is right, another server or a proxy may have answered."),
            circumstance: Circumstance.refusedCode)
    }

    static func enrolledAlready(_ present: RegistrationSummary) -> CommandFailure {
        switch (present.state, present.lastRefusal) {
        case (.blocked, _): blocked(present)
        case (_, .revoked): revoked(present)
        case (_, .clientSecretExpired): secretsExpired(present, isCertain: false)
        default:
            CommandFailure(
                .enrolledAlready, "ENROLLED_ALREADY", "\(present.identity) is already enrolled at \(present.backend).",
                advice: Advice(
                    "To choose another PIN, use 'change-pin'. To enroll again, use 'recover'. Try the PIN", "test"))
        }
    }

    static func blocked(_ user: RegistrationSummary) -> CommandFailure {
        CommandFailure(
            .blocked, "INCORRECT_PIN",
            "The enrollment of \(user.identity) is blocked at \(user.backend) after too many wrong PINs.",
            advice: recoverBlocked, attemptsLeft: 0)
    }

    static func revoked(_ user: RegistrationSummary) -> CommandFailure {
        // For a registration without a key, the server may also mean that it does not know it or accepts none without a
        // key.
        guard user.hasDeviceKey || user.refusalReason != nil else {
            let sentence =
                user.offersDeviceKey
                ? "\(doesNotKnow) of \(user.identity). \(whyUnknown) \(otherServer)"
                : "refuses time permits to \(user.identity): its permit hook (RPAPermitUserURL) has revoked the "
                    + "enrollment."
            return CommandFailure(
                .revoked, "REVOKED", "\(user.backend) \(sentence)",
                advice: user.offersDeviceKey
                    ? recoverExpired
                    : Advice("Ask the server's administrator for the reason. If you may enroll again", "recover"))
        }
        let reason = user.refusalReason.map { " Reason: " + $0 } ?? ""
        return CommandFailure(
            .revoked, "REVOKED", "\(user.backend) has revoked the enrollment of \(user.identity).\(reason)",
            advice: recoverRevoked(user))
    }

    private static let doesNotKnow = "does not know the enrollment"
    /// The possible reasons of a server that does not know a registration.
    private static let whyUnknown =
        "Possible reasons: it was removed or revoked, the server was restored from an older backup, or the server "
        + "accepts only enrollments with a device key."

    /// The sentence for a registration without a device key at a server that offers them.
    private static let otherServer =
        "Or another server is at this address: this one offers device keys, and the one of the enrollment did not."

    static func unknownDevice(_ user: RegistrationSummary) -> CommandFailure {
        CommandFailure(
            .secretsExpired, "CLIENT_SECRET_EXPIRED",
            "\(user.backend) \(doesNotKnow) of \(user.identity) with this device's key. The PIN was not checked. "
                + whyUnknown, advice: recoverExpired)
    }

    /// - Parameter isCertain: whether the server has just answered that its keys are others.
    static func secretsExpired(_ user: RegistrationSummary, isCertain: Bool) -> CommandFailure {
        CommandFailure(
            .secretsExpired, "CLIENT_SECRET_EXPIRED",
            isCertain
                ? "\(user.backend) has replaced its keys since this enrollment."
                : "\(user.backend) refused the last login with the enrollment of \(user.identity). \(whyOutOfDate)",
            advice: CommandFailure.recoverExpired)
    }

    /// The possible reasons for CLIENT_SECRET_EXPIRED, if nothing more is known.
    static let whyOutOfDate =
        "Possible reasons: the server was set up again, was restored from an older backup, has new keys, or no longer "
        + "knows this device."

    static func goOn(_ command: String, of subject: Advice.Subject) -> Advice {
        Advice("Continue", command, of: subject)
    }

    /// The hint for a registration at another server than the one that logins use.
    ///
    /// - Parameters:
    ///   - account: nil for the account of the command line.
    ///   - server: the server that logins use.
    static func atOtherServer(_ user: RegistrationSummary, _ account: String?, _ server: String) -> Advice {
        let anew = Advice(
            "Enroll at \(server)", "register",
            of: Advice.Subject(account: account, identity: user.identity, server: server))
        guard user.hasDeviceKey else { return anew }
        return Advice("If this is the same server at a new address", "server set \(CommonOptions.quoted(server))")
            .adding(anew.worded("Otherwise enroll there"))
    }

    static let recoverBlocked = Advice("Recover it with a code", "recover").adding(
        Advice("Or with the old PIN, after the administrator has unblocked it", rootCommand: "recover"))

    static func recoverRevoked(_ user: RegistrationSummary) -> Advice {
        // The administrator can undo some revocations, but a new code helps after all of them.
        Advice(
            "Ask the administrator for a new code "
                + "(sudo mpin-server invite \(CommonOptions.quoted(user.identity))). "
                + "The code of an enrollment that never logged in is still valid. Then run", "recover")
    }

    static let recoverExpired = Advice(
        "Enroll again, with a code from the administrator if the server requires one", "recover")
}

extension Advice.Subject {
    /// - Parameter account: nil for the account of the command line.
    init(_ user: RegistrationSummary, account: String? = nil) {
        self.init(account: account, identity: user.identity, server: user.backend)
    }
}
