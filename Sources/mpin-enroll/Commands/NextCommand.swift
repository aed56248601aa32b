import ArgumentParser
import MPin

/// What a call without a command does: the next sensible thing for the state the account is in.
struct NextCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Do the next sensible thing (the default).")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        let status = AccountStatus(target: target)
        // A file that cannot be read is nobody's enrolment: registering sets it aside.
        let user: User?
        do throws(CommandFailure) { user = try status.user() } catch  where error.exitStatus == .storage {
            user = nil
        }
        if let user, user.state == .registered || user.state == .blocked { return try status.report(check: false) }
        let chosen = user.map { target.of($0) } ?? target
        var pin = PINSource(file: nil, mayAsk: common.mayAsk)
        pin.whenNeeded = Advice(
            "Give it in a file, as the code where the server wants one", "register --pin-file FILE --code-file FILE")
        return try RegisterCommand.enrol(chosen, code: CodeSource(mayAsk: common.mayAsk), pin: pin)
    }
}
