import MPin

/// Why a command did not do what it was asked: what happened, and what to do about it.
struct CommandFailure: Error {
    let exitStatus: ExitStatus
    /// The name of the status, for programs.
    let code: String
    let message: String
    let advice: Advice?
    let attemptsLeft: Int?

    init(
        _ exitStatus: ExitStatus, _ code: String, _ message: String, advice: Advice? = nil, attemptsLeft: Int? = nil
    ) {
        self.exitStatus = exitStatus
        self.code = code
        self.message = message
        self.advice = advice
        self.attemptsLeft = attemptsLeft
    }

    /// The same with another advice.
    func advising(_ advice: Advice) -> CommandFailure {
        CommandFailure(exitStatus, code, message, advice: advice, attemptsLeft: attemptsLeft)
    }

    /// A failed SDK call that has nothing to do with a server.
    init(_ error: MPinError) {
        self.init(
            ExitStatus(error, state: nil), error.code.name.text, error.message,
            advice: error.code == .storageError ? CommandFailure.lookAtStore : nil)
    }

    /// A configuration that cannot be used.
    ///
    /// - Parameter flags: what stands on the command line for each of the arguments that were read.
    init(_ fault: ConfigurationFault, flags: [String]) {
        guard case .argument(let number) = fault.place, flags.indices.contains(number - 1) else {
            self.init(
                .configuration, "CONFIGURATION", fault.message, advice: UnsafeFile.advice(for: fault))
            return
        }
        // What is wrong begins with the name of the option in the file; people gave it as a flag.
        let reason = fault.reason.split(separator: " ").dropFirst().joined(separator: " ")
        self.init(.configuration, "CONFIGURATION", "\(flags[number - 1]) \(reason).")
    }

    static func cancelled(_ advice: Advice) -> CommandFailure {
        CommandFailure(.cancelled, "CANCELED", "Cancelled.", advice: advice)
    }

    static func notEnrolled(_ account: String, advice: Advice) -> CommandFailure {
        CommandFailure(.notEnrolled, "INVALID", "\(account) is not enrolled on this machine.", advice: advice)
    }

    static let register = Advice("Enrol with", "register")
    static let showList = Advice("See who is enrolled here with", "list")
}
