import ArgumentParser
import CMPinSystem
import FoundationEssentials
import MPin

/// `otp`: logs in for a one-time password and shows how long it is valid.
struct OneTimePasswordCommand: AgentCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Get a one-time password to type elsewhere; a wrong PIN counts.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    var order: AgentOrder { AgentOrder(command: MPIN_AGENT_OTP, pins: AgentPINs(source)) }

    private var source: PINSource { pin.source(common, for: "otp") }

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        try target.checkRevocation(&client, of: user)
        let pin = try source.pin(prompt: target.prompt(for: user))
        let otp = try password(target, user, pin, &client)

        var members = target.description(of: user)
        members["otp"] = .text(otp.otp)
        members["ttlSeconds"] = .number(otp.ttlSeconds)
        // By this machine's clock: some servers send their local time marked as UTC.
        members["expires"] = .text(Date().addingTimeInterval(Double(otp.ttlSeconds)).formatted(.iso8601))
        // Standard output holds only the password.
        if !common.json { for line in TargetAccount.warnings(user) { Terminal.say(visible(line)) } }
        return CommandOutcome(
            report: Report([otp.otp], members), epilogue: { Countdown(seconds: otp.ttlSeconds).show() })
    }

    private func password(
        _ target: TargetAccount, _ user: User, _ pin: borrowing PIN, _ client: inout MPinClient
    ) throws(CommandFailure) -> OTP {
        let otp = try target.attempt(
            target.start(&client, as: user), &client, as: user, pin, from: source,
            failure: { CommandFailure($0, of: user) }
        ) { client throws(MPinError) in
            try target.begin(&client, as: user)
        } finish: { client, pending throws(MPinError) in
            try client.finishAuthenticationOTP(pending, pin: pin)
        }
        guard otp.status == .ok else {
            throw CommandFailure(
                .protocolFault, otp.status.name.text,
                "The PIN is right, but \(user.backend) issues no one-time passwords.",
                advice: Advice("To sign in elsewhere with the number that is shown there", "approve NUMBER"))
        }
        return otp
    }
}
