import MPin

extension Enrolment {
    /// Waits with the person until the server has verified the identity: by a code that it sent, or by a link.
    ///
    /// Wrong codes and refusals are said and asked about again; whoever leaves comes back to the same registration.
    func awaitVerification(
        of user: User, _ client: inout MPin, _ terminal: borrowing Terminal
    ) throws(CommandFailure) {
        Terminal.say("The server has not verified \(visible(user.identity)) yet.")
        Terminal.say("If it sends mails, look for one with a code and a link.")
        while true {
            guard let answer = terminal.ask("The code, or Enter after the link (r sends again, q leaves): ") else {
                throw Enrolment.left
            }
            if answer == "q" || answer == "Q" { throw Enrolment.left }
            do throws(MPinError) {
                switch answer {
                case "r", "R":
                    try client.restartRegistration(user)
                    Terminal.say("Another mail is on its way.")
                    continue
                case "": break
                default: try client.restartRegistration(user, activateCode: answer, userData: nil)
                }
                return try client.confirmRegistration(user)
            } catch {
                switch error.code {
                case .identityNotVerified, .identityNotAuthorized, .httpRequestError:
                    Terminal.say(visible(error.message))
                default: throw CommandFailure(error, state: user.state)
                }
            }
        }
    }

    private static var left: CommandFailure {
        CommandFailure(
            .notVerified, "IDENTITY_NOT_VERIFIED", "The registration waits to be verified.",
            hint: "Go on with: mpin-enroll register")
    }
}
