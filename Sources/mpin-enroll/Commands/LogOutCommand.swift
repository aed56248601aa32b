// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

struct LogOutCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out the session that this device approved last.")

    @OptionGroup var pin: PINOptions

    @Flag(help: "Sign out the browser sessions of all your devices.") var all = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
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
        members["loggedOut"] = count
        let line =
            switch count {
            case 0: "There was no session to sign out."
            case 1: "One session is signed out."
            default: "\(count) sessions are signed out."
            }
        return Report([line] + answer.lines, members)
    }
}
