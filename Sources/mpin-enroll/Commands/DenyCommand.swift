// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

/// `deny`: rejects a waiting session, without a login.
struct DenyCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Reject a sign-in request. Needs its access number, but no PIN.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Argument(help: "Access number, with or without spaces, or the address in the QR code.") var number: [String]

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var server: ActionFields
        do throws(CommandFailure) {
            server = try target.perform(AccountAction(.send, "deny", number.joined(separator: " ")), common)
        } catch { throw error.code == "NOT_OFFERED" ? error.advising(Advice("The number expires on its own.")) : error }
        return CommandOutcome(
            report: Report(
                ["The sign-in request is rejected. The server notifies its sender."],
                ["server": .text(server.text()), "denied": .flag(true)]))
    }
}
