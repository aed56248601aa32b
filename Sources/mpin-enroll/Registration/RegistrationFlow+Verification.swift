// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinWire

extension RegistrationFlow {
    /// Seconds between two polls of the verification; the last value is repeated.
    private static let pauses = [2, 2, 2, 5, 5, 5, 10]

    /// Waits until the server has verified the identity, by a mailed code that the user types or by a mailed link.
    ///
    /// After a wrong code, the user is asked again. A user who quits can continue with this registration later.
    ///
    /// - Returns: what is known about the registration now: never ``SharesAnswer/unverified``.
    func awaitVerification(
        of user: User, _ client: inout MPinClient, _ terminal: borrowing Terminal
    ) throws(CommandFailure) -> SharesAnswer {
        Terminal.say(visible("\(user.backend) has not verified \(user.identity) yet."))
        let mails = MailSupport(client)
        let takesCodes = client.offers(.invitationCode)
        Terminal.say(mails.sentence)
        var refusals = 0
        while true {
            var answered = SharesAnswer.unverified
            let prompt = takesCodes ? "Code for \(user.identity) (" : "Waiting for \(user.identity) ("
            let answer = terminal.ask("\(prompt)\(mails.keys)q to quit): ", pauses: RegistrationFlow.pauses) {
                answered = checkVerification(user, &client)
                return answered.isSettled
            }
            if answered.isSettled { return answered }
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
            guard user.state != .activated else { return .verified }
            answered = checkVerification(user, &client)
            guard !answered.isSettled else { return answered }
            Terminal.say(visible("\(user.backend) has not verified \(user.identity) yet."))
        }
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
            case .unknown: "If the server sends mail, open the link in it. The enrollment then continues automatically."
            case .none: "The server sends no mail. Ask its administrator for a code, or wait for approval."
            }
        }

        var keys: String { self == .none ? "" : "r to send another mail, " }

        func requested(_ server: String) -> String {
            self == .sent ? "Another mail is on its way." : "\(server) was asked for another mail."
        }
    }

    /// Polls whether the identity has been verified. Failures of the server appear in the next step.
    private func checkVerification(_ user: User, _ client: inout MPinClient) -> SharesAnswer {
        switch fetchShares(of: user, &client) {
        case .failed: .unverified
        // The first share is discarded, so the registration has to be restarted.
        case .halfConfirmed: .lapsed
        case let answer: answer
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
            .notVerified, "IDENTITY_NOT_VERIFIED", "The enrollment is waiting for verification.",
            advice: CommandFailure.goOn(command))
    }
}

extension RegistrationFlow.SharesAnswer {
    /// Whether the wait for the verification is over.
    fileprivate var isSettled: Bool { if case .unverified = self { false } else { true } }
}
