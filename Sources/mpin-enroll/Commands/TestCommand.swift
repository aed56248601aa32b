// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

/// `test`: logs in to check the PIN and the server, without opening a session.
struct TestCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test the PIN with a login at the server.",
        discussion: "Example: mpin-enroll test", aliases: ["verify"])

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        let answer = try target.logIn("test", "", common, PINDialog(pin.source(common, for: "test")))
        try answer.require()
        let user = answer.registration
        return CommandOutcome(
            report: Report(
                ["The server accepted the PIN of \(user.identity)."] + answer.lines
                    + SessionExamination(target.configuration).lines, target.description(of: user)))
    }
}
