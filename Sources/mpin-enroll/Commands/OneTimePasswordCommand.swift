// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import FoundationEssentials
import MPin
import MPinAgent

/// `otp`: logs in for a one-time password and shows how long it is valid.
struct OneTimePasswordCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Print a one-time password to type elsewhere.",
        discussion: "Example: mpin-enroll otp --watch")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions
    @Flag(help: "Count down on the terminal until the password expires.") var watch = false

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var answer = try target.logIn("otp", "", common, PINDialog(pin.source(common, for: "otp")))
        let (status, password, seconds) = (answer.values.text(), answer.values.text(), answer.values.number())
        try answer.require()
        guard status == MPinStatus.ok.name.text else {
            throw CommandFailure(
                .protocolFault, status,
                "The PIN is right, but \(answer.registration.backend) issues no one-time passwords.",
                advice: Advice("Use the access number that the other session shows", "approve NUMBER"))
        }
        var members = target.description(of: answer.registration)
        members["otp"] = .text(password)
        members["ttlSeconds"] = .number(seconds)
        // The time uses this machine's clock, because some servers send their local time marked as UTC.
        members["expires"] = .text(Date().addingTimeInterval(Double(seconds)).formatted(.iso8601))
        // Standard output contains only the password.
        if !common.json { for line in answer.lines { Terminal.say(line) } }
        return CommandOutcome(
            report: Report([password], members), isAnswer: true,
            epilogue: { if !common.quiet { Countdown(seconds: seconds, isWatched: watch).show() } })
    }
}
