import ArgumentParser
import MPin

/// Logs in and opens nothing: the way to find out whether a PIN and a server are right.
struct Test: Command {
    static let configuration = CommandConfiguration(
        abstract: "Log in without opening anything; a wrong PIN counts.", aliases: ["verify"])

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    func work() throws(CommandFailure) -> Outcome {
        let enrolment = try Enrolment(common)
        var client = try enrolment.open()
        let user = try enrolment.existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        try enrolment.checkRevocation(&client, of: user)
        let pin = try pin.source(common, for: "test").pin(prompt: enrolment.prompt(for: user))
        try enrolment.logIn(&client, as: user, pin: pin)
        return Outcome(
            report: Report(
                ["The server accepted the PIN of \(user.identity)."] + Enrolment.warnings(user),
                enrolment.description(of: user)))
    }
}
