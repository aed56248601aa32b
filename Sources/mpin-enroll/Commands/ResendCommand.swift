// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import MPinAgent
import MPinWire

struct ResendCommand: EnrollCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend", abstract: "Send the verification mail again.")

    @OptionGroup var common: CommonOptions

    func work() throws(CommandFailure) -> Report {
        let target = try TargetAccount(common)
        // An unverified recovery is in the staging area, beside the registration in use.
        var staged = try target.open(.staging, create: true)
        if let user = try target.registration(in: staged), user.state == .startedRegistration {
            return try resend(user, &staged, target, next: "recover")
        }
        var client = try target.open()
        let user = try target.existing(in: client)
        switch user.state {
        case .startedRegistration: return try resend(user, &client, target, next: "register")
        case .activated:
            throw CommandFailure(
                .enrolledAlready, "VERIFIED_ALREADY", "\(user.identity) is already verified. No mail is needed.",
                advice: CommandFailure.goOn("register", of: Advice.Subject(user.summary)))
        case .registered, .blocked, .invalid:
            throw CommandFailure(
                .enrolledAlready, "ENROLLED_ALREADY", "No enrollment of \(user.identity) is waiting for verification.",
                advice: Advice("Check its state", "status"))
        }
    }

    private func resend(
        _ user: User, _ client: inout MPinClient, _ target: TargetAccount, next: String
    ) throws(CommandFailure) -> Report {
        do throws(MPinError) { try client.setBackend(user.backend) } catch {
            throw CommandFailure(error, at: user.backend)
        }
        // Servers that announce `invitationCode` also announce `mail` if they send mails.
        if client.offers(.invitationCode), !client.offers(.mail) {
            throw CommandFailure(
                .protocolFault, "NOT_OFFERED", "\(user.backend) does not send mail.",
                advice: Advice(
                    "Ask its administrator for a code or to approve you. Then run", next,
                    of: Advice.Subject(user.summary)))
        }
        do throws(MPinError) { try client.restartRegistration(user) } catch {
            guard error.cause == .limited else { throw CommandFailure(error, at: user.backend) }
            let wait =
                error.retryAfter.map { "in \($0) seconds, at \(TargetAccount.text(time(nil) + $0))" } ?? "in a while"
            throw CommandFailure(
                .tryLater, error.code.name,
                "\(user.backend) has already sent a mail. The next one is possible \(wait).",
                advice: Advice("Look for the first mail, also in the spam folder. Later, try again", "resend"))
        }
        let sentence =
            client.offers(.mail)
            ? "Another mail to \(user.identity) is on its way." : "\(user.backend) was asked for another mail."
        return Report(
            [sentence], target.description(of: user.summary),
            next: CommandFailure.goOn(next, of: Advice.Subject(user.summary)))
    }
}
