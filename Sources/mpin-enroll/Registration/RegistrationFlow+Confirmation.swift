// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinWire

extension RegistrationFlow {
    /// What a request for the shares shows about a registration.
    enum SharesAnswer {
        case confirmed
        /// The identity is verified, and the shares are still to be fetched.
        case verified
        /// The identity has not been verified yet.
        case unverified
        /// The server no longer knows the registration, or its query for the second share has expired.
        case lapsed
        case revoked
        /// The first share was fetched, and the second authority fails, whatever the verification.
        case halfConfirmed(MPinError)
        /// The server did not answer, or refused the request for another reason.
        case failed(MPinError)
    }

    /// Fetches both shares of the client secret. Waits for the verification, and restarts an expired registration.
    ///
    /// - Returns: the confirmed user; another one after a restart.
    func confirm(_ user: User, _ client: inout MPinClient) throws(CommandFailure) -> User {
        var user = user
        var hasBegunAnew = false
        while true {
            if user.state == .activated { _ = try newPIN() }
            var answer = fetchShares(of: user, &client)
            if case .unverified = answer {
                guard pin.mayAsk, let terminal = Terminal() else { throw waiting(user, client) }
                answer = try awaitVerification(of: user, &client, terminal)
            }
            switch answer {
            case .confirmed: return user
            case .verified, .unverified: break
            case .lapsed:
                guard !hasBegunAnew else { throw lapsed(user) }
                if try !isRestarted(user, &client) { user = try beginAnew(user, &client) }
                hasBegunAnew = true
            case .revoked: throw revoked(user)
            case .halfConfirmed(let error): throw secondAuthorityFails(user, error)
            case .failed(let error): throw CommandFailure(error, at: user.backend)
            }
        }
    }

    /// Fetches the shares if the identity has been verified.
    func fetchShares(of user: User, _ client: inout MPinClient) -> SharesAnswer {
        do throws(MPinError) {
            try client.confirmBoth(user) {
                Terminal.say(visible("The second authority of \(user.backend) failed. Retrying for one minute."))
            }
        } catch {
            if user.holdsFirstShare { return .halfConfirmed(error) }
            return switch (error.code, error.cause) {
            case (.requestExpired, _), (_, .lapsedRegistration): .lapsed
            case (_, .revokedRegistration): .revoked
            case (.identityNotVerified, _): .unverified
            default: .failed(error)
            }
        }
        return .confirmed
    }

    /// Restarts a registration with a device key. Its server needs no code to replace one whose issued share was lost.
    ///
    /// - Returns: false if the server refuses. If it is unreachable or busy, the registration is kept for another try.
    private func isRestarted(_ user: User, _ client: inout MPinClient) throws(CommandFailure) -> Bool {
        guard user.hasDeviceKey else { return false }
        do throws(MPinError) { try client.restartRegistration(user) } catch {
            guard error.isRefusal else { throw CommandFailure(error, at: user.backend) }
            return false
        }
        return true
    }

    /// Starts a new registration if the server cannot continue this one: with a given code, or if the user agrees.
    private func beginAnew(_ user: User, _ client: inout MPinClient) throws(CommandFailure) -> User {
        var code = try self.code.given()
        if code == nil {
            guard self.code.canAsk, let terminal = Terminal() else { throw lapsed(user) }
            Terminal.say(visible(lapsed(user).message))
            if client.offers(.invitationCode) { Terminal.say(RegistrationFlow.goodOnceMore) }
            let answer = terminal.ask("Start again? [Y/n] ")
            guard let answer, ["", "y", "yes"].contains(answer.lowercased()) else { throw lapsed(user) }
            code = try chosenCode(&client)
        }
        return try start(code, &client, insteadOf: user)
    }

    // MARK: Failures

    private func waiting(_ user: User, _ client: borrowing MPinClient) -> CommandFailure {
        let link = hint("Open the link in the server's mail. Then run", command)
        let either = link.adding(
            hint("Or use the code in the mail", command + " --application-code --code-file FILE"))
        return CommandFailure(
            .notVerified, "IDENTITY_NOT_VERIFIED", "\(user.backend) has not verified \(user.identity) yet.",
            advice: client.offers(.invitationCode) ? either : link)
    }

    /// The failure for a registration that has expired or whose share was already issued. The server's answer is the
    /// same.
    private func lapsed(_ user: User) -> CommandFailure {
        CommandFailure(
            .notVerified, "IDENTITY_NOT_VERIFIED",
            "\(user.backend) cannot continue this enrollment of \(user.identity). It took too long, or was interrupted "
                + "after the server had issued the secret. The server issues it only once.",
            advice: hint(
                "The invitation code is valid again until it expires. Start again (with --code-file FILE if the "
                    + "server requires a code)", command + " --start-over"))
    }

    /// The rule for codes at a server that creates invitations.
    private static let goodOnceMore = "The invitation code is valid again until it expires. A backup code is not."

    /// The failure for a registration that the administrator revoked before it was finished. Only a new one can
    /// continue.
    func revoked(_ user: User) -> CommandFailure {
        CommandFailure.revoked(user.summary).advising(
            hint(
                "Ask the server's administrator for the reason and a new code. Then run",
                command + " --code CODE --start-over"))
    }

    private func secondAuthorityFails(_ user: User, _ error: MPinError) -> CommandFailure {
        let place = error.secondAuthority.map { " (\($0))" } ?? ""
        return CommandFailure(
            .unavailable, "NETWORK_ERROR",
            "The second authority of \(user.backend)\(place) failed for a minute: \(error.sentence.text.string) "
                + "The first share was discarded.",
            advice: user.hasDeviceKey
                ? hint("When the second authority works again, run", command)
                : hint("When the second authority works again, start again", command + " --start-over"))
    }
}

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
        // The server has proven what it answers about a registration with a device key, but never its settings.
        let takesCodes = user.hasDeviceKey && client.offers(.invitationCode)
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
                default:
                    guard let code = code(answer, mails) else {
                        Terminal.say(CodeSource.malformed.message)
                        continue
                    }
                    try client.restartRegistration(user, code)
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

    /// Reads a code that was typed while the enrollment waits for the mail: the code in the mail, which has six digits,
    /// or one that is never sent. Anything else may be a PIN.
    private func code(_ text: String, _ mails: MailSupport) -> RegistrationCode? {
        let symbols = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        let isMailed = mails == .sent && symbols.count == 6 && symbols.allSatisfy { 0x30...0x39 ~= $0 }
        return isMailed || code.isOfApplication ? .application(text) : RegistrationCode(invitation: text)
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
            advice: hint("Continue", command))
    }
}

extension RegistrationFlow.SharesAnswer {
    /// Whether the wait for the verification is over.
    fileprivate var isSettled: Bool { if case .unverified = self { false } else { true } }
}
