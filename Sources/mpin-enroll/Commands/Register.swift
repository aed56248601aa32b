import ArgumentParser
import MPin

/// Enrols this machine for an account, up to a login that proves it.
struct Register: Command {
    static let configuration = CommandConfiguration(abstract: "Enrol this machine for an account.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var code: CodeOptions

    @Option(name: .long, help: "A file with the new PIN, or - for standard input.")
    var pinFile: String?

    @Option(name: .long, help: "How the server lists this machine; the host name unless given.")
    var device: String?

    func work() throws(CommandFailure) -> Outcome {
        let enrolment = try Enrolment(common)
        let server = try enrolment.requiredServer()
        var client = try enrolment.open(create: true)
        if let present = try enrolment.registration(in: client), !isUnfinished(present) {
            throw CommandFailure(
                .internalFault, "FLOW_ERROR", "\(present.identity) is enrolled already.",
                hint: present.state == .blocked
                    ? "It is BLOCKED. With a new code: mpin-enroll recover"
                    : "Try it with: mpin-enroll test. A new PIN: mpin-enroll change-pin")
        }
        let source = PINSource(file: pinFile, flag: "--pin-file", mayAsk: !common.noInput && !common.json)
        let (user, _) = try enrolment.register(
            &client, device: device, code: { () throws(CommandFailure) in try code.value(common) }, pin: source)
        return Outcome(
            report: Report(
                ["\(user.identity) is enrolled for \(enrolment.account) at \(server), and has logged in."],
                enrolment.description(of: user)))
    }

    private func isUnfinished(_ user: User) -> Bool {
        user.state == .startedRegistration || user.state == .activated
    }
}
