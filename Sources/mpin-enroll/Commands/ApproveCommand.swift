// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

struct ApproveCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a sign-in request by its access number.",
        discussion: "Example: mpin-enroll approve 424 1703")

    @OptionGroup var pin: PINOptions

    @Argument(help: "Access number, with or without spaces, or the address in the QR code.") var number: [String]

    @Flag(help: "Wait for Enter or end of input, then sign out the session.") var thenLogOut = false
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        let dialog = PINDialog(pin.source(common, for: "approve NUMBER"))
        var answer = try target.logIn(
            thenLogOut ? "approve then-log-out" : "approve", number.joined(separator: " "), common, dialog)
        let canLogOut = answer.values.flag()
        try answer.require()
        let user = answer.registration
        var members = target.description(of: user)
        members["asking"] = dialog.session?.members ?? [:]
        members["canLogout"] = canLogOut
        var lines = ["The session is signed in as \(user.identity)."]
        if thenLogOut {
            members["loggedOut"] = true
            lines.append("The session is signed out again.")
        }
        return Report(lines + answer.lines, members)
    }
}

struct DenyCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Reject a sign-in request. Needs no PIN.")

    @Argument(help: "Access number, with or without spaces, or the address in the QR code.") var number: [String]
    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        var server: ActionFields
        do throws(CommandFailure) {
            server = try target.perform(AccountAction(.send, "deny", number.joined(separator: " ")), common)
        } catch { throw error.code == "NOT_OFFERED" ? error.advising(Advice("The number expires on its own.")) : error }
        return Report(
            ["The sign-in request is rejected. The server notifies its sender."],
            ["server": server.text(), "denied": true])
    }
}
