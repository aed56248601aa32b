// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinConfiguration
import SystemFiles

// Failures of actions, whether root's mpin-enroll or the agent has performed them.
extension CommandFailure {
    /// - Parameters:
    ///   - creating: whether a missing store was to be created.
    ///   - advice: the hint when the account is not enrolled.
    init(
        _ failure: ActionFailure, for target: TargetAccount, _ area: FileStore.Area = .users, creating: Bool = false,
        advice: Advice = CommandFailure.register
    ) {
        let place = StoreLocation(directory: target.configuration.store, account: target.account, area: area)
        let texts = failure.texts, first = texts.first ?? ""
        switch (failure.kind, failure.registration, failure.error) {
        case (.store, _, _): self.init(failure.storeError ?? .notPermitted, place, creating: creating, advice: advice)
        case (.call, _, let error?): self.init(error)
        case (.callAtServer, _, let error?): self.init(error, at: first)
        case (.callOfRegistration, let user?, let error?): self.init(error, of: user)
        case (.unrecordedBlock, let user?, let error?):
            self = CommandFailure(error, of: user).adding(
                "This could not be recorded here: \(LockHolder.sentence(target.lock)) Until it is, this machine assumes "
                    + "that the enrollment can log in.")
        case (.firstLogin, let user?, let error?):
            let failure = CommandFailure(error, of: user)
            self =
                failure.exitStatus == .wrongPIN || failure.code == "WRONG_SHARE"
                ? failure.advising(Advice("The old enrollment is unchanged. Try again", "recover")) : failure
        case (.notEnrolled, _, _): self = CommandFailure.notEnrolled(target.account, advice: advice)
        case (.replaced, _, _):
            self.init(
                .notEnrolled, "INVALID", "\(target.account) is not enrolled. \(CommandFailure.replaced)",
                advice: CommandFailure.register)
        case (.notSelected, let user?, _):
            var way = Advice(
                "Enrolled: " + texts.dropFirst().joined(separator: ", ") + ". List all enrollments", "list")
            if let server = target.normalServer, user.backend != server {
                way = way.adding(CommandFailure.atOtherServer(user, nil, server))
                    .adding(Advice("Or remove that enrollment", "remove", of: Advice.Subject(user)))
            }
            self.init(.notEnrolled, "INVALID", "\(target.account) is not enrolled \(first).", advice: way)
        case (.severalServers, _, _):
            self.init(
                .usage, "USAGE", "\(first) is registered at several servers.",
                advice: Advice("Use --server with one of these: " + texts.dropFirst().joined(separator: ", ")))
        case (.damagedRecord, _, _):
            self.init(
                .storage, "STORAGE_ERROR", "A record in \(place.records) is damaged and cannot be read.",
                advice: Advice("Enroll again (the old file is kept as \(place.records).bad)", "register"))
        case (.putAside, _, _): self = CommandFailure.putAside(target.account, target.filesAside)
        case (.cannotLogIn, let user?, _):
            self = CommandFailure.cannotLogIn(user) ?? CommandFailure.notEnrolled(target.account, advice: advice)
        case (.notOffered, _, _):
            self.init(
                .protocolFault, "NOT_OFFERED", "\(first) does not support \(texts.last ?? ""). Nothing was sent.",
                advice: Advice("Ask the server's administrator to update it."))
        case (.noDeviceKey, let user?, _):
            self.init(
                .protocolFault, "FLOW_ERROR", "\(user.identity) has no device key, which \(first) need.",
                advice: Advice("The server offers device keys. Get one", "recover"))
        case (.malformedCode, _, _):
            self.init(
                .badInput, "INCORRECT_ACCESS_NUMBER", "This is neither an access number nor the address in a QR code.",
                advice: Advice("Type the digits as shown, or the whole address."))
        case (.unknownSession, let user?, _):
            self.init(
                .badInput, "INCORRECT_ACCESS_NUMBER",
                "\(user.backend) has no sign-in request with this number, or it has expired.",
                advice: Advice("Check the digits, or get a new number."))
        case (.lateSession, _, _):
            self.init(
                .tryLater, "REQUEST_EXPIRED", "The PIN is right, but the session did not answer in time.",
                advice: Advice("Check the session: it may still sign in. Otherwise, get a new number."))
        case (.notSignedOut, _, _):
            self.init(
                .unavailable, "NETWORK_ERROR",
                "The session is signed in, but could not be signed out from this device.",
                advice: Advice("Sign out in the session itself."))
        case (.notConfirmed, _, _): self = CommandFailure.notConfirmed(CommandFailure.checkState)
        case (.samePIN, _, _):
            self.init(
                .badInput, "SAME_PIN", "The new PIN is the current PIN.",
                advice: Advice("Choose another one", "change-pin"))
        case (.unconfirmedPIN, let user?, _):
            self.init(
                .storage, "STORAGE_ERROR",
                "\(user.identity) has a new PIN, but the disk did not confirm it. A power failure may bring the old "
                    + "PIN back.", advice: CommandFailure.checkDisk)
        case (.refusedCode, _, let error?):
            self = CommandFailure.refusedCode(
                at: first, for: texts.last ?? "", isProven: error.cause != .unproven)
        case (.refusedCode, _, nil): self = CodeSource.malformed
        case (.unprovenCode, _, _):
            self.init(
                .notPermitted, "NOT_PERMITTED",
                "\(first) did not accept the code as proof of the identity. Without sudo, it has to.", advice: .useSudo)
        case (.enrolledAlready, let user?, _): self = CommandFailure.enrolledAlready(user)
        case (.isEnrolling, _, _): self = CommandFailure.isEnrolling(place)
        case (.notPermitted, _, _):
            self.init(.notPermitted, "NOT_PERMITTED", first, advice: .useSudo)
        case (.configuration, _, _): self.init(.configuration, "CONFIGURATION", first, advice: .useSudo)
        case (.unanswered, _, _): self = CommandFailure.canceled(CommandFailure.checkState)
        default: self = AgentCall.senseless
        }
    }

    /// A failed SDK call for a registration.
    init(_ error: MPinError, of user: User) { self.init(error, of: user.summary) }

    static func notConfirmed(_ advice: Advice) -> CommandFailure {
        CommandFailure(.badInput, "NOT_CONFIRMED", "The two PINs differ. Neither was checked.", advice: advice)
    }

    static let checkState = Advice("Check the current state", "status")

    /// The failure of a user without sudo who has no code.
    static var codeNeeded: CommandFailure {
        CommandFailure(
            .inputNeeded, "INPUT_NEEDED",
            "Without sudo, a code is needed: an invitation from the administrator or from your other device, or a "
                + "backup code.", advice: Advice("Add --code-file FILE.").adding(.useSudo))
    }
}
