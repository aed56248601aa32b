import ArgumentParser

/// Says how an account stands, from what is stored here; nothing is sent.
struct Status: Command {
    static let configuration = CommandConfiguration(abstract: "Say how an account stands.")

    @OptionGroup var common: CommonOptions

    @Flag(help: "Exit with 0 only for a registration that can log in.")
    var check = false

    func work() throws(CommandFailure) -> Outcome {
        try Standing(enrolment: Enrolment(common, mayBeGone: true)).report(check: check)
    }
}
