// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

/// `logout`: logs in to end the sessions that were approved from this device, or from any.
struct LogOutCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out the session that this device approved last.")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Flag(help: "Sign out the browser sessions of all your devices.") var all = false

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var answer: LoginAnswer
        do throws(CommandFailure) {
            answer = try target.logIn("logout", all ? "1" : "0", common, PINDialog(pin.source(common, for: "logout")))
        } catch {
            guard error.code == "NOT_OFFERED" else { throw error }
            throw error.advising(
                Advice("Sign out in the session itself. Next time, approve with", "approve NUMBER --then-log-out"))
        }
        let count = answer.values.number()
        try answer.require()
        var members = target.description(of: answer.registration)
        members["loggedOut"] = .number(count)
        let line =
            switch count {
            case 0: "There was no session to sign out."
            case 1: "One session is signed out."
            default: "\(count) sessions are signed out."
            }
        return CommandOutcome(report: Report([line] + answer.lines, members))
    }
}
