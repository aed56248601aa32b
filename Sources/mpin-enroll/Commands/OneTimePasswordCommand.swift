// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CMPinSystem
import Console
import FoundationEssentials
import MPin

/// `otp`: logs in for a one-time password and shows how long it is valid.
struct OneTimePasswordCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Print a one-time password to type elsewhere.",
        discussion: "Example: mpin-enroll otp --watch")

    @OptionGroup(title: HelpText.common) var common: CommonOptions
    @OptionGroup var pin: PINOptions
    @Flag(help: "Count down on the terminal until the password expires.") var watch = false

    var order: AgentOrder {
        AgentOrder(command: MPIN_AGENT_OTP, pins: AgentPINs(source), isCountdownWatched: watch)
    }

    private var source: PINSource { pin.source(common, for: "otp") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let (user, entry) = try target.identify(&client, source)
        let otp = try password(for: user, entry, &client, target)
        let more = target.revokeReplaced(&client, by: user, entry)

        var members = target.description(of: user)
        members["otp"] = .text(otp.otp)
        members["ttlSeconds"] = .number(otp.ttlSeconds)
        // The time uses this machine's clock, because some servers send their local time marked as UTC.
        members["expires"] = .text(Date().addingTimeInterval(Double(otp.ttlSeconds)).formatted(.iso8601))
        // Standard output contains only the password.
        if !common.json { for line in TargetAccount.warnings(user) + more { Terminal.say(line) } }
        return CommandOutcome(
            report: Report([otp.otp], members), isAnswer: true,
            epilogue: { if !common.quiet { Countdown(seconds: otp.ttlSeconds, isWatched: watch).show() } })
    }

    private func password(
        for user: User, _ entry: PINEntry, _ client: inout MPinClient, _ target: TargetAccount
    ) throws(CommandFailure) -> OTP {
        let otp = try target.prove(&client, as: user, entry) { client, pending, pin throws(MPinError) in
            try client.finishAuthenticationOTP(pending, pin: pin)
        }
        guard otp.status == .ok else {
            throw CommandFailure(
                .protocolFault, otp.status.name.text,
                "The PIN is right, but \(user.backend) issues no one-time passwords.",
                advice: Advice("Use the access number that the other session shows", "approve NUMBER"))
        }
        return otp
    }
}
