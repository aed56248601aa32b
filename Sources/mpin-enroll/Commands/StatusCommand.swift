import ArgumentParser

/// Says how an account stands, from what is stored here; nothing is sent.
struct StatusCommand: EnrollCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Say how an account stands.")

    @OptionGroup var common: CommonOptions

    @Flag(help: "Exit with 0 only for a registration that can log in.")
    var check = false

    func work() throws(CommandFailure) -> CommandOutcome {
        try AccountStatus(target: TargetAccount(common, mayBeGone: true)).report(check: check)
    }
}
