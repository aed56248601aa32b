import Glibc
import MPin

// Failures of requests, with the server's address in the message.
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
        case .clientSecretExpired where error.cause == .lostKey:
            self.init(
                .secretsExpired, "CLIENT_SECRET_EXPIRED", error.message, advice: CommandFailure.recoverExpired)
        case .clientSecretExpired where error.cause == .unknownDevice:
            self = CommandFailure.unknownDevice(user, error)
        case .clientSecretExpired:
            self = CommandFailure.secretsExpired(user, isOther: error.httpStatus == nil)
        case .identityNotAuthorized:
            self.init(
                .notPermitted, "IDENTITY_NOT_AUTHORIZED",
                "\(user.backend) does not allow \(user.identity) to log in now.",
                advice: Advice(
                    "If it was revoked in this moment, the next try says so, and why; otherwise ask its administrator",
                    "test"))
        default:
            let failure = CommandFailure(error, at: user.backend)
            self = error.pinChecked == .maybe ? failure.adding("This try may have been counted.") : failure
        }
    }

    /// A failed SDK call at a server.
    init(_ error: MPinError, at server: String) {
        let failed = error.secondAuthority ?? server
        var (message, advice) = CommandFailure.sentences(error, failed)
        if failed != server {
            message += " It is the second authority of \(server)."
            advice = CommandFailure.advice(error.cause) ?? CommandFailure.askAdministrator(of: server)
        }
        let status = error.cause == .authorityFile ? .configuration : ExitStatus(error, state: nil)
        self.init(status, error.code.name.text, message, advice: advice, attemptsLeft: error.attemptsLeft)
        if error.cause == .peer { self = atForeignSocket(of: server) }
        if error.code == .storageError, error.isLocal { self = whileBusy() }
        if let closed = CommandFailure.closedSocket(error, at: server) { self = closed }
    }

    /// The hint for a storage error.
    static func storeAdvice(_ error: MPinError) -> Advice {
        // Another process holds the lock of the store.
        guard !error.isLocal else { return tryAgain }
        return advice(error.cause) ?? lookAtStore
    }

    private static func advice(_ cause: MPinError.Cause) -> Advice? {
        switch cause {
        case .authorityFile:
            Advice("Name a file of CA certificates with --ca-file, or as 'ca_file = ...' in the configuration.")
        case .peer: Advice("Look who serves it; whose server is trusted says 'server_user' in the configuration.")
        case .unknownIssuer:
            Advice(
                "Name the certificate of its authority with --ca-file FILE, or as 'ca_file = FILE' in the configuration."
            )
        case .outOfDate: Advice("Look at this machine's clock (date); otherwise its administrator has to renew it.")
        case .otherName: Advice("Name the server as its certificate does, with --server, or look for a mistyped name.")
        case .fullDisk: freeSpace
        case .readOnlyDisk: makeWritable
        case .fullRecords: makeRoom
        case .fewFiles: allowFiles
        case .unconfirmedWrite: checkDisk
        case .noTLS: Advice("Look at the port; a server without TLS is reached by its socket only: --server unix:PATH.")
        case .clock: Advice("Look at this machine's clock (date), and at the server's.")
        case .doubled: tryAgain
        default: nil
        }
    }

    private static func sentences(_ error: MPinError, _ server: String) -> (String, Advice?) {
        if error.code == .storageError { return (error.message, storeAdvice(error)) }
        if let fault = TPMFault(error) { return (fault.sentence, fault.advice) }
        if error.cause == .doubled {
            return (
                "\(server) has had this very request before, and takes none twice. The PIN was not judged again.",
                advice(.doubled)
            )
        }
        if error.cause == .noMemory, MemoryLimit.isNone {
            // The library says the same of both.
            return (
                "\(server) has answered with more headers than can be read.",
                Advice("Look whether this is the address of an M-Pin server. Where it comes from says", "config show")
            )
        }
        if let advice = advice(error.cause) { return (named(error, server), advice) }
        if error.code == .networkError, !error.isLocal, let host = HostLookup.unknownHost(in: server) {
            return (
                "The name \(host) is not known, so \(server) cannot be reached.",
                Advice(
                    "Look for a mistyped name, and whether this machine finds others: getent hosts \(CommonOptions.quoted(host))"
                )
            )
        }
        return switch error.code {
        case .networkError where !error.isLocal:
            (named(error, server), unanswered(server))
        case .httpServerError:
            ("\(server) failed\(status(error)).", Advice("Try again later. Its log says why."))
        case .responseParseError:
            (
                named(error, server),
                Advice("Look whether this is the address of an M-Pin server. Where it comes from says", "config show")
            )
        case .httpRequestError where error.httpStatus == 429:
            ("\(server) asks to wait before the next try.", Advice("Wait for a minute."))
        case .httpRequestError where error.httpStatus == 404:
            ("\(server) refused the request\(status(error)).", checkAddress)
        case .httpRequestError:
            ("\(server) refused the request\(status(error)).", askAdministrator(of: server))
        case .badUserAgent:
            ("\(server) refuses this program\(status(error)).", Advice("Ask its administrator."))
        case .requestExpired:
            ("It took too long for \(server).", Advice("Try again."))
        default:
            (error.message, nil)
        }
    }

    /// Where nobody answers: at the server's own socket, or over the network.
    private static func unanswered(_ server: String) -> Advice {
        let scheme = "unix:"
        // The server of another machine need not be an mpin-server, nor run under systemd.
        guard server.hasPrefix(scheme) else {
            return Advice(
                "Check the network, and ask the server's administrator. Show where the address is set", "config show")
        }
        let path = CommonOptions.quoted(String(server.dropFirst(scheme.count)))
        let look =
            unsafe access("/run/systemd/system", F_OK) != 0
            ? "Whether a server listens there says: sudo ss -xlp src \(path)"
            : "Whether the server runs says: systemctl status mpin-server"
        return Advice(look + ". Where the address comes from says", "config show")
    }

    private static let checkAddress = Advice(
        "Check that this is the address of an M-Pin server. Show where it is set", "config show")

    private static func askAdministrator(of server: String) -> Advice {
        Advice("Ask the administrator of \(server).")
    }

    /// The message with the server's address in it.
    private static func named(_ error: MPinError, _ server: String) -> String {
        let anybody = "The server"
        let message = String(error.message.dropFirst(error.secondAuthority.map { $0.count + 2 } ?? 0))
        return message.hasPrefix(anybody) ? server + message.dropFirst(anybody.count) : "\(message) (\(server))"
    }

    private static func status(_ error: MPinError) -> String { error.httpStatus.map { " (HTTP \($0))" } ?? "" }

    private static let forgotten = Advice("Try again. Whoever has forgotten the PIN registers anew with", "recover")
}
