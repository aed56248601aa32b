import ArgumentParser
import MPin

/// What a call without a command does: the next sensible thing for the state the account is in.
struct Next: Command {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Do the next sensible thing (the default).")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Outcome {
        let enrolment = try Enrolment(common)
        let state: UserState
        do throws(CommandFailure) {
            state = try enrolment.existing(in: enrolment.open()).state
        } catch  where error.exitStatus == .notEnrolled {
            state = .invalid
        }
        switch state {
        case .invalid, .startedRegistration, .activated:
            var register = Register()
            register.common = common
            register.code = CodeOptions()
            register.pinFile = nil
            register.device = nil
            return try register.work()
        case .registered, .blocked:
            var status = Status()
            status.common = common
            status.check = false
            var outcome = try status.work()
            outcome = Outcome(
                report: Report(
                    outcome.report.lines + [
                        state == .blocked
                            ? "next      mpin-enroll recover, with a code of the administrator's"
                            : "next      mpin-enroll test, change-pin or remove"
                    ], outcome.report.members))
            return outcome
        }
    }
}
