import ArgumentParser
import MPin

/// `test`: logs in without opening a session, to check the PIN and the server.
struct TestCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Log in without opening anything; a wrong PIN counts.", aliases: ["verify"])

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        try target.checkRevocation(&client, of: user)
        let pin = try pin.source(common, for: "test").pin(prompt: target.prompt(for: user))
        try target.logIn(&client, as: user, pin: pin)
        return CommandOutcome(
            report: Report(
                ["The server accepted the PIN of \(user.identity)."] + TargetAccount.warnings(user),
                target.description(of: user)))
    }
}
