// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// `status`: shows the stored state of an account's registration. Sends nothing to the server.
struct StatusCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show an account's enrollment status.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions

    @Flag(help: "Exit with 0 only if the user can log in with the enrollment.") var check = false

    func work() throws(CommandFailure) -> CommandOutcome {
        try AccountStatus(TargetAccount(common, mayBeGone: true), common).report(check: check)
    }
}
