// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import Glibc

/// `status`: shows the stored state of an account's registration. Sends nothing to the server.
struct StatusCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show an account's enrollment status.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Flag(help: "Exit with 0 only if the user can log in with the enrollment.")
    var check = false

    var order: AgentOrder { AgentOrder(command: MPIN_AGENT_STATUS, options: check ? MPIN_AGENT_CHECK : 0) }

    func work() throws(CommandFailure) -> CommandOutcome {
        try AccountStatus(
            target: TargetAccount(common, mayBeGone: true), columns: common.display(STDOUT_FILENO).columns
        ).report(check: check)
    }
}
