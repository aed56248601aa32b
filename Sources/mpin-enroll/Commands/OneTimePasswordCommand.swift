import ArgumentParser
import FoundationEssentials
import MPin

/// `otp`: logs in for a one-time password and shows how long it is valid.
struct OneTimePasswordCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Get a one-time password to type elsewhere; a wrong PIN counts.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    func work() throws(CommandFailure) -> CommandOutcome {
        let target = try TargetAccount(common)
        var client = try target.open()
        let user = try target.existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        try target.checkRevocation(&client, of: user)
        let pin = try pin.source(common, for: "otp").pin(prompt: target.prompt(for: user))
        let otp = try password(for: user, pin, &client)

        var members = target.description(of: user)
        members["otp"] = .text(otp.otp)
        members["ttlSeconds"] = .number(otp.ttlSeconds)
        // By this machine's clock: some servers send their local time marked as UTC.
        members["expires"] = .text(Date().addingTimeInterval(Double(otp.ttlSeconds)).formatted(.iso8601))
        // Standard output holds only the password.
        if !common.json { for line in TargetAccount.warnings(user) { Terminal.say(visible(line)) } }
        return CommandOutcome(
            report: Report([otp.otp], members), isAnswer: true,
            epilogue: { if !common.quiet { Countdown(seconds: otp.ttlSeconds).show() } })
    }

    private func password(for user: User, _ pin: borrowing PIN, _ client: inout MPinClient) throws(CommandFailure)
        -> OTP
    {
        let otp: OTP
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            let pending = try client.startAuthentication(user)
            otp = try client.finishAuthenticationOTP(pending, pin: pin)
        } catch { throw CommandFailure(error, of: user) }
        guard otp.status == .ok else {
            throw CommandFailure(
                .protocolFault, otp.status.name.text,
                "The PIN is right, but \(user.backend) issues no one-time passwords.",
                advice: Advice("To sign in elsewhere with the number that is shown there", "approve NUMBER"))
        }
        return otp
    }
}
