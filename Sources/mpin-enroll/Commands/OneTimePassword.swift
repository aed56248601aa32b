import ArgumentParser
import FoundationEssentials
import Glibc
import MPin

/// Logs in for a one-time password that is typed elsewhere, and shows how long it lives.
struct OneTimePassword: Command {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Get a one-time password to type elsewhere; a wrong PIN counts.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var pin: PINOptions

    func work() throws(CommandFailure) -> Outcome {
        let enrolment = try Enrolment(common)
        var client = try enrolment.open()
        let user = try enrolment.existing(in: client)
        if let failure = CommandFailure.cannotLogIn(user) { throw failure }
        let pin = try pin.source(common).pin(prompt: enrolment.prompt(for: user))
        let otp = try password(for: user, pin, &client)

        var members = enrolment.description(of: user)
        members["otp"] = .text(otp.otp)
        members["ttlSeconds"] = .number(otp.ttlSeconds)
        members["expires"] = .text(Date(timeIntervalSince1970: Double(otp.expireTime)).formatted(.iso8601))
        return Outcome(report: Report([otp.otp], members), epilogue: { Countdown(seconds: otp.ttlSeconds).show() })
    }

    private func password(for user: User, _ pin: borrowing PIN, _ client: inout MPin) throws(CommandFailure) -> OTP {
        let otp: OTP
        do throws(MPinError) {
            try client.selectBackend(user.backend)
            let pending = try client.startAuthentication(user)
            otp = try client.finishAuthenticationOTP(pending, pin: pin)
        } catch { throw CommandFailure(error, state: user.state) }
        guard otp.status == .ok else {
            throw CommandFailure(
                .protocolFault, otp.status.name.text, "The PIN is right, but this server issues no one-time passwords.")
        }
        return otp
    }
}
