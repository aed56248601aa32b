import ArgumentParser
import MPin

/// What a call without a command does: the next sensible thing for the state the account is in.
struct Next: Command {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Do the next sensible thing (the default).")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Outcome {
        let enrolment = try Enrolment(common)
        let standing = Standing(enrolment: enrolment)
        // A file that cannot be read is nobody's enrolment: registering sets it aside.
        let user: User?
        do throws(CommandFailure) { user = try standing.user() } catch  where error.exitStatus == .storage {
            user = nil
        }
        if let user, user.state == .registered || user.state == .blocked { return try standing.report(check: false) }
        let chosen = user.map { enrolment.of($0) } ?? enrolment
        var pin = PINSource(file: nil, mayAsk: common.mayAsk)
        pin.whenNeeded = Advice(
            "Give it in a file, as the code where the server wants one", "register --pin-file FILE --code-file FILE")
        return try Register.enrol(chosen, code: CodeSource(mayAsk: common.mayAsk), pin: pin)
    }
}
