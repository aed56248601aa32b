// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

struct TestCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test the PIN with a login at the server.")

    @OptionGroup var pin: PINOptions
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        let answer = try target.logIn("test", "", common, PINDialog(pin.source(common, for: "test")))
        try answer.require()
        let user = answer.registration
        return Report(
            ["The server accepted the PIN of \(user.identity)."] + answer.lines
                + SessionExamination(target.configuration).lines(), target.description(of: user))
    }
}
