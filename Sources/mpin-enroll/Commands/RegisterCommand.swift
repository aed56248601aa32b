import ArgumentParser
import MPin

/// `register`: registers this machine for an account and logs in once to prove it.
struct RegisterCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Enrol this machine for an account.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var code: CodeOptions
    @OptionGroup var key: KeyOptions

    @Option(
        help: ArgumentHelp("A file with the new PIN, or - for standard input.", valueName: "file"), completion: .file())
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

    func work() throws(CommandFailure) -> CommandOutcome {
        try RegisterCommand.enrol(
            try TargetAccount(common).demanding(key), code: code.source(common, for: "register"),
            pin: PINSource(file: pinFile, mayAsk: common.mayAsk),
            device: device, startsOver: startOver)
    }

    /// Registers an account that has no registration or an unfinished one.
    static func enrol(
        _ target: TargetAccount, code: CodeSource, pin: PINSource, device: String? = nil, startsOver: Bool = false
    ) throws(CommandFailure) -> CommandOutcome {
        let server = try target.requiredServer()
        return try target.inTurn(create: true) { () throws(CommandFailure) in
            try enrolInTurn(target, at: server, code: code, pin: pin, device: device, startsOver: startsOver)
        }
    }

    private static func enrolInTurn(
        _ target: TargetAccount, at server: String, code: CodeSource, pin: PINSource, device: String?, startsOver: Bool
    ) throws(CommandFailure) -> CommandOutcome {
        var client = try target.open(create: true)
        if let present = try target.registration(in: client) {
            try refuse(present)
        } else {
            try target.requireRoom(in: client)
        }
        let registering = RegistrationFlow(
            target: target, device: device, code: code, pin: pin, startsOver: startsOver)
        let (user, proved) = try registering.run(&client)
        if !registering.abandoned.mpinIDs.isEmpty {
            // A failure does not affect the new registration.
            _ = proved.withPIN { client.revoke(registering.abandoned.mpinIDs, inFavourOf: user, pin: $0) }
        }
        return CommandOutcome(
            report: Report(
                ["\(name(user, target)) is enrolled at \(server), and has logged in."] + TargetAccount.keyNotice(user),
                target.description(of: user),
                next: howToUse(target)))
    }

    /// The account, and the identity where that is another name.
    private static func name(_ user: User, _ target: TargetAccount) -> String {
        user.identity == target.account ? target.account : "\(target.account) (\(user.identity))"
    }

    /// The hint after registering: PAM does not ask for the PIN until the administrator adds the module. Only who has the
    /// PIN can try it once more.
    private static func howToUse(_ target: TargetAccount) -> Advice {
        let change = "sudo mpin-enroll pam enable sudo", isOwn = target.account == AccountName.caller ?? AccountName.own
        guard isOwn else {
            return Advice(
                "No login asks for the PIN yet; what would change for sudo says '\(change)'. Before that, "
                    + "\(target.account) tries the PIN with", "test")
        }
        return Advice("No login asks for the PIN yet; what would change for sudo says '\(change)'. Before that", "test")
    }

    /// Refuses to replace a registration that has a token; `recover` does that.
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
