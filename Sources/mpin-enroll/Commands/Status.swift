import ArgumentParser
import MPin

/// Says how an account stands, from what is stored here; nothing is sent.
struct Status: Command {
    static let configuration = CommandConfiguration(abstract: "Say how an account stands.")

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "Exit with 0 only for a registration that can log in.")
    var check = false

    func work() throws(CommandFailure) -> Outcome {
        let enrolment = try Enrolment(common)
        do throws(CommandFailure) {
            let client = try enrolment.open()
            let user = try enrolment.existing(in: client)
            return Outcome(
                report: Report(lines(user, enrolment), enrolment.description(of: user)),
                exitStatus: check ? ExitStatus(of: user) : .done)
        } catch  where error.exitStatus == .notEnrolled {
            return Outcome(
                report: Report(
                    ["\(enrolment.account) is not enrolled on this machine."],
                    [
                        "account": .text(enrolment.account), "identity": .text(enrolment.identity),
                        "state": .text(UserState.invalid.name.text),
                    ]),
                exitStatus: check ? .notEnrolled : .done)
        }
    }

    private func lines(_ user: User, _ enrolment: Enrolment) -> [String] {
        var lines = [
            "account   \(enrolment.account)", "identity  \(user.identity)", "server    \(user.backend)",
            "state     \(user.state.name.text)",
        ]
        if !user.deviceName.isEmpty { lines.append("device    \(user.deviceName)") }
        if let left = user.attemptsLeft { lines.append("tries     \(left) left") }
        if let refusal = user.lastRefusal { lines.append("refused   \(refusal.name.text)") }
        return lines
    }
}
