import ArgumentParser
import MPin

/// Enrols this machine for an account, up to a login that proves it.
struct Register: Command {
    static let configuration = CommandConfiguration(abstract: "Enrol this machine for an account.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var code: CodeOptions

    @Option(help: ArgumentHelp("A file with the new PIN, or - for standard input.", valueName: "file"))
    var pinFile: String?

    @Option(help: ArgumentHelp("How the server lists this machine. Default: the host's name.", valueName: "name"))
    var device: String?

    @Flag(help: "Give up a registration that was begun and not finished, and begin anew.")
    var startOver = false

    func validate() throws {
        guard pinFile != "-" || code.codeFile != "-" else {
            throw ValidationError("Only one of PIN and code can come from standard input.")
        }
    }

    func work() throws(CommandFailure) -> Outcome {
        try Register.enrol(
            try Enrolment(common), code: code.source(common, for: "register"),
            pin: PINSource(file: pinFile, mayAsk: common.mayAsk),
            device: device, startsOver: startOver)
    }

    /// Enrols an account that is not enrolled, or whose enrolment was not finished.
    static func enrol(
        _ enrolment: Enrolment, code: CodeSource, pin: PINSource, device: String? = nil, startsOver: Bool = false
    ) throws(CommandFailure) -> Outcome {
        let server = try enrolment.requiredServer()
        var client = try enrolment.open(create: true)
        if let present = try enrolment.registration(in: client) { try refuse(present) }
        let registering = Registering(
            enrolment: enrolment, device: device, code: code, pin: pin, startsOver: startsOver)
        let (user, proved) = try registering.run(&client)
        if !registering.abandoned.mpinIDs.isEmpty {
            _ = enrolment.of(user).revoke(registering.abandoned.mpinIDs, pin: proved)
        }
        return Outcome(
            report: Report(
                ["\(user.identity) is enrolled for \(enrolment.account) at \(server), and has logged in."],
                enrolment.description(of: user), next: howToUse))
    }

    /// Nothing asks for a PIN yet when somebody is enrolled.
    private static let howToUse = Advice(
        "To have sudo or a login ask for the PIN, put the line that the README names under \"sudo in five minutes\" "
            + "into its file in /etc/pam.d. First once more by yourself", "test")

    /// Refuses a registration that has a token: `recover` replaces it, and this command nothing.
    private static func refuse(_ present: User) throws(CommandFailure) {
        guard present.state == .registered || present.state == .blocked else { return }
        switch (present.state, present.lastRefusal) {
        case (.blocked, _): throw CommandFailure.blocked(present)
        case (_, .revoked): throw CommandFailure.revoked(present)
        case (_, .clientSecretExpired):
            throw CommandFailure.secretsExpired(present, isOther: nil)
        default:
            throw CommandFailure(
                .enrolledAlready, "ENROLLED_ALREADY", "\(present.identity) is enrolled already at \(present.backend).",
                advice: Advice("'change-pin' gives it another PIN, 'recover' registers it anew. Try it with", "test"))
        }
    }
}
