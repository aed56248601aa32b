// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

struct StatusCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show an account's enrollment status.")

    @Flag(help: "Exit with 0 only if the user can log in with the enrollment.") var check = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        try AccountStatus(TargetAccount(common, mayBeGone: true), common).report(check: check)
    }
}
