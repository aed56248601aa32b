// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinAgent

/// `approve`: signs in a cross-device session by its access number or QR code.
struct ApproveCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a sign-in request by its access number.",
        discussion: "Example: mpin-enroll approve 424 1703")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions

    @Argument(help: "Access number, with or without spaces, or the address in the QR code.") var number: [String]

    @Flag(help: "Wait for Enter or end of input, then sign out the session.") var thenLogOut = false

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        let dialog = PINDialog(pin.source(common, for: "approve NUMBER"))
        var answer = try target.logIn(
            thenLogOut ? "approve then-log-out" : "approve", number.joined(separator: " "), common, dialog)
        let canLogOut = answer.values.flag()
        try answer.require()
        let user = answer.registration
        var members = target.description(of: user)
        members["asking"] = .object(dialog.session?.members ?? [:])
        members["canLogout"] = .flag(canLogOut)
        var lines = ["The session is signed in as \(user.identity)."]
        if thenLogOut {
            members["loggedOut"] = .flag(true)
            lines.append("The session is signed out again.")
        }
        return CommandOutcome(report: Report(lines + answer.lines, members))
    }
}
