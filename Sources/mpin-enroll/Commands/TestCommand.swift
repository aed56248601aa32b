// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import MPin

/// `test`: logs in to check the PIN and the server, without opening a session.
struct TestCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test the PIN with a login at the server.",
        discussion: "Example: mpin-enroll test",
        aliases: ["verify"])

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    var order: AgentOrder { AgentOrder(command: MPIN_AGENT_TEST, pins: AgentPINs(source)) }

    private var source: PINSource { pin.source(common, for: "test") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let (user, entry) = try target.identify(&client, source)
        try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            _ = try client.finishAuthentication(pending, pin: pin)
        }
        let more = target.revokeReplaced(&client, by: user, entry)
        return CommandOutcome(
            report: Report(
                ["The server accepted the PIN of \(user.identity)."] + TargetAccount.warnings(user) + more,
                target.description(of: user)))
    }
}
