import MPin

// What went wrong between this machine and a server, with the server's name in it.
extension CommandFailure {
    /// A failed SDK call for a registration.
    init(_ error: MPinError, of user: User) {
        switch error.code {
        case .incorrectPIN where user.state == .blocked:
            self = CommandFailure.blocked(user)
        case .incorrectPIN:
            self.init(
                .wrongPIN, "INCORRECT_PIN", error.message, advice: CommandFailure.forgotten,
                attemptsLeft: error.attemptsLeft)
        case .revoked:
            self = CommandFailure.revoked(user)
        case .clientSecretExpired:
            self.init(
                .secretsExpired, "CLIENT_SECRET_EXPIRED", "\(user.backend) has replaced its keys since this enrolment.",
                advice: CommandFailure.recoverExpired)
        case .identityNotAuthorized:
            self.init(
                .notPermitted, "IDENTITY_NOT_AUTHORIZED",
                "\(user.backend) does not allow \(user.identity) to log in now.",
                advice: Advice("Ask its administrator."))
        default:
            self.init(error, at: user.backend)
        }
    }

    /// A failed SDK call at a server.
    init(_ error: MPinError, at server: String) {
        let (message, advice) = CommandFailure.sentences(error, server)
        self.init(
            ExitStatus(error, state: nil), error.code.name.text, message, advice: advice,
            attemptsLeft: error.attemptsLeft)
    }

    private static func sentences(_ error: MPinError, _ server: String) -> (String, Advice?) {
        switch error.code {
        case .networkError where !error.isLocal:
            (named(error, server), Advice("Look whether this is the right address, and whether the server runs."))
        case .httpServerError:
            ("\(server) failed\(status(error)).", Advice("Try again later. Its log says why."))
        case .responseParseError:
            (named(error, server), Advice("Look whether this is the address of an M-Pin server."))
        case .httpRequestError where error.httpStatus == 429:
            ("\(server) asks to wait before the next try.", Advice("Wait for a minute."))
        case .httpRequestError:
            ("\(server) refused the request\(status(error)).", nil)
        case .badUserAgent:
            ("\(server) refuses this program\(status(error)).", Advice("Ask its administrator."))
        case .requestExpired:
            ("It took too long for \(server).", Advice("Try again."))
        case .storageError:
            (error.message, lookAtStore)
        default:
            (error.message, nil)
        }
    }

    /// The sentence with the server's address in it.
    private static func named(_ error: MPinError, _ server: String) -> String {
        let anybody = "The server"
        let message = error.message
        return message.hasPrefix(anybody) ? server + message.dropFirst(anybody.count) : "\(message) (\(server))"
    }

    private static func status(_ error: MPinError) -> String { error.httpStatus.map { " (HTTP \($0))" } ?? "" }

    private static let forgotten = Advice("Try again. Whoever has forgotten the PIN registers anew with", "recover")
}
