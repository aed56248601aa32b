// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinWire

extension RegistrationFlow {
    /// Seconds between two polls of the verification; the last value is repeated.
    private static let pauses = [2, 2, 2, 5, 5, 5, 10]

    /// Waits until the server has verified the identity, by a mailed code that the user types or by a mailed link.
    ///
    /// After a wrong code, the user is asked again. A user who quits can continue with this registration later.
    func awaitVerification(
        of user: User, _ client: inout MPinClient, _ terminal: borrowing Terminal
    ) throws(CommandFailure) -> Verification {
        Terminal.say(visible("\(user.backend) has not verified \(user.identity) yet."))
        let mails = MailSupport(client)
        let takesCodes = client.offers(.invitationCode)
        Terminal.say(mails.sentence)
        var refusals = 0
        while true {
            var status = VerificationStatus.pending
            let prompt = takesCodes ? "Code for \(user.identity) (" : "Waiting for \(user.identity) ("
            let answer = terminal.ask("\(prompt)\(mails.keys)q to quit): ", pauses: RegistrationFlow.pauses) {
                status = checkVerification(user, &client)
                return status != .pending
            }
            guard status != .revoked else { throw revoked(user) }
            if status != .pending { return status == .verified ? .confirmed : .expired }
            guard let answer, answer != "q", answer != "Q" else { throw left }
            do throws(MPinError) {
                switch answer {
                case "r" where mails != .none, "R" where mails != .none:
                    try client.restartRegistration(user)
                    Terminal.say(visible(mails.requested(user.backend)))
                    continue
                case "": break
                // On such a server, a restart would undo a verification that has happened meanwhile.
                case _ where !takesCodes: break
                default: try client.restartRegistration(user, activateCode: answer, userData: nil)
                }
            } catch {
                guard RegistrationFlow.mayContinue(error) else { throw CommandFailure(error, at: user.backend) }
                Terminal.say(visible(RegistrationFlow.sentence(error, user)))
                if error.code == .identityNotAuthorized { refusals += 1 }
                guard refusals < PINSource.rounds else { throw left }
                continue
            }
            // The shares can wait for the PIN.
            guard user.state != .activated else { return .activated }
            switch checkVerification(user, &client) {
            case .verified: return .confirmed
            case .expired: return .expired
            case .revoked: throw revoked(user)
            case .pending: Terminal.say(visible("\(user.backend) has not verified \(user.identity) yet."))
            }
        }
    }

    /// The result of waiting for a verification.
    enum Verification {
        /// Both shares have been fetched.
        case confirmed
        /// The identity is verified by a code, and the shares are still to be fetched.
        case activated
        /// The server no longer knows the registration.
        case expired
    }

    /// Whether the server sends mail, according to its client settings.
    private enum MailSupport {
        case sent, unknown, none

        init(_ client: borrowing MPinClient) {
            // Servers that announce `invitationCode` also announce `mail` if they send mail.
            self = client.offers(.mail) ? .sent : client.offers(.invitationCode) ? .none : .unknown
        }

        var sentence: String {
            switch self {
            case .sent:
                "Check your mail for a code and a link. After you open the link, the enrollment continues "
                    + "automatically."
            case .unknown:
                "If the server sends mail, open the link in it. The enrollment then continues automatically."
            case .none: "The server sends no mail. Ask its administrator for a code, or wait for approval."
            }
        }

        var keys: String { self == .none ? "" : "r to send another mail, " }

        func requested(_ server: String) -> String {
            self == .sent ? "Another mail is on its way." : "\(server) was asked for another mail."
        }
    }

    private enum VerificationStatus { case verified, pending, expired, revoked }

    /// Polls whether the identity has been verified. Other failures count as pending and appear in the next step.
    private func checkVerification(_ user: User, _ client: inout MPinClient) -> VerificationStatus {
        do throws(MPinError) {
            try fetchShares(user, &client)
            return .verified
        } catch {
            if error.httpStatus == 400 || error.code == .requestExpired || user.holdsFirstShare { return .expired }
            return error.httpStatus == 403 ? .revoked : .pending
        }
    }

    private static func mayContinue(_ error: MPinError) -> Bool {
        switch error.code {
        case .identityNotVerified, .identityNotAuthorized, .httpRequestError, .networkError, .httpServerError: true
        case .storageError: error.isLocal
        default: false
        }
    }

    private static func sentence(_ error: MPinError, _ user: User) -> String {
        guard error.code == .identityNotAuthorized else { return error.message }
        return "\(user.backend) did not accept this code for \(user.identity): it is not valid, or it has expired."
    }

    private var left: CommandFailure {
        CommandFailure(
            .notVerified, "IDENTITY_NOT_VERIFIED", "The enrollment waits for verification.",
            advice: CommandFailure.goOn(command))
    }
}
