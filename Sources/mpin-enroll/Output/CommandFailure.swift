import MPin

/// Why a command did not do what it was asked: what happened, and what to do about it.
struct CommandFailure: Error {
    let exitStatus: ExitStatus
    /// The name of the status, for programs.
    let code: String
    let message: String
    let hint: String?
    let attemptsLeft: Int?

    init(_ exitStatus: ExitStatus, _ code: String, _ message: String, hint: String? = nil, attemptsLeft: Int? = nil) {
        self.exitStatus = exitStatus
        self.code = code
        self.message = message
        self.hint = hint
        self.attemptsLeft = attemptsLeft
    }

    /// A failed SDK call; the state of the user tells a wrong PIN from the last one.
    init(_ error: MPinError, state: UserState? = nil) {
        self.init(
            ExitStatus(error.code, state: state), error.code.name.text, error.message,
            hint: CommandFailure.hint(error.code, state), attemptsLeft: error.attemptsLeft)
    }

    init(_ error: StoreError, creating: Bool) {
        switch error {
        case .notEnrolled, .noStore:
            self.init(.notEnrolled, "INVALID", error.message, hint: "Enrol with: mpin-enroll register")
        case .notPermitted:
            self.init(.notPermitted, "NOT_PERMITTED", error.message, hint: "Use sudo.")
        case .failed where creating:
            self.init(.cannotCreate, "STORAGE_ERROR", error.message)
        case .busy:
            self.init(.tryLater, "STORAGE_ERROR", error.message)
        case .unsafe, .damaged, .failed, .badAccountName, .noMemory:
            self.init(.storage, "STORAGE_ERROR", error.message)
        }
    }

    static func notEnrolled(_ account: String) -> CommandFailure {
        CommandFailure(
            .notEnrolled, "INVALID", "\(account) is not enrolled on this machine.",
            hint: "Enrol with: mpin-enroll register")
    }

    /// A registration that cannot log in, told by its state before anything is asked.
    static func cannotLogIn(_ user: User) -> CommandFailure? {
        switch user.state {
        case .registered: nil
        case .blocked:
            CommandFailure(
                .blocked, "INCORRECT_PIN", "\(user.identity) is BLOCKED after too many wrong PINs.",
                hint: "Ask the administrator for a code, then: mpin-enroll recover", attemptsLeft: 0)
        case .startedRegistration, .activated:
            CommandFailure(
                .notVerified, "IDENTITY_NOT_VERIFIED", "The registration of \(user.identity) is not finished.",
                hint: "Go on with: mpin-enroll register")
        case .invalid: notEnrolled(user.identity)
        }
    }

    private static func hint(_ code: MPinStatus, _ state: UserState?) -> String? {
        switch code {
        case .incorrectPIN where state == .blocked:
            "Ask the administrator for a code, then: mpin-enroll recover"
        case .identityNotAuthorized: "Ask the administrator for a new code: mpin-server invite."
        case .networkError: "Check the address of the server, and that it runs."
        case .revoked: "Ask the administrator why, then enrol again with: mpin-enroll recover"
        case .clientSecretExpired: "Enrol again with: mpin-enroll recover"
        case .storageError: "Look at the owner and mode of the store."
        default: nil
        }
    }
}
