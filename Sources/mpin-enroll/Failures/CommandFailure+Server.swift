// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinAgent
import MPinWire
import SystemFiles

// Failures of requests, with the server's address in the message.
extension CommandFailure {
    /// A failed SDK call for a registration.
    init(_ error: MPinError, of user: RegistrationSummary) {
        switch error.code {
        case .incorrectPIN where user.awaitsFirstLogin && user.hasDeviceKey && error.pinChecked == .yes:
            self = CommandFailure.wrongShare(user)
        case .incorrectPIN where user.state == .blocked: self = CommandFailure.blocked(user)
        case .incorrectPIN:
            self.init(
                .wrongPIN, "INCORRECT_PIN", error.message, advice: CommandFailure.forgotten,
                attemptsLeft: error.attemptsLeft)
        case .revoked: self = CommandFailure.revoked(user)
        case .clientSecretExpired where error.cause == .lostKey:
            self.init(.secretsExpired, "CLIENT_SECRET_EXPIRED", error.message, advice: CommandFailure.recoverExpired)
        case .clientSecretExpired where error.cause == .unknownDevice: self = CommandFailure.unknownDevice(user)
        case .clientSecretExpired: self = CommandFailure.secretsExpired(user, isCertain: true)
        case .identityNotAuthorized:
            self.init(
                .notPermitted, "IDENTITY_NOT_AUTHORIZED",
                "\(user.backend) does not allow \(user.identity) to log in now.",
                advice: Advice("Ask the server's administrator for the reason. Try again", "test"))
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
            advice = CommandFailure.advice(error.cause, failed) ?? CommandFailure.askAdministrator(of: server)
        }
        let status = error.cause == .authorityFile ? .configuration : ExitStatus(error)
        self.init(status, error.code.name, message, advice: advice, attemptsLeft: error.attemptsLeft)
        if error.cause == .peer { circumstance = Circumstance.foreignSocket(server: server) }
        if error.cause == .noServerProof { circumstance = Circumstance.noServerKey }
        if let closed = CommandFailure.closedSocket(error, at: server) { self = closed }
    }

    static func storeAdvice(_ error: MPinError) -> Advice {
        // Another process holds the lock of the store.
        guard !error.isLocal else { return tryAgain }
        return advice(error.cause, "") ?? lookAtStore
    }

    private static func advice(_ cause: MPinError.Cause, _ server: String) -> Advice? {
        switch cause {
        case .authorityFile:
            Advice("Use a file of CA certificates: --ca-file FILE, or 'ca_file = FILE' in the configuration")
        case .unknownIssuer:
            Advice(
                "Copy the CA's certificate to /usr/local/share/ca-certificates/NAME.crt, and run: "
                    + "sudo update-ca-certificates"
            ).adding("Or name its file in /etc/mpin/mpin.conf, for logins too: ca_file = FILE")
                .adding("If the server signs its certificate itself, enroll with an invitation.")
        case .foreignIssuer:
            Advice(
                "An attacker or a proxy may be between this machine and the server. Neither a PIN nor a code was sent. "
                    + "If the certificate is from a CA of your own, copy the CA's certificate to "
                    + "/usr/local/share/ca-certificates/NAME.crt, and run: sudo update-ca-certificates")
        case .outOfDate:
            Advice("Check the clock: timedatectl")
                .adding("If it is right, ask the administrator to renew the certificate.")
        case .otherName:
            Advice("Check the spelling, or use the name in the server's certificate: --server https://NAME")
        case .fullRecords: makeRoom
        case .unconfirmedWrite: checkDisk
        case .noTLS: Advice("Check the port. If the server has no TLS, use its socket: --server unix:PATH")
        case .clock: Advice("Check the clocks of this machine and of the server: timedatectl")
        case .doubled: tryAgain
        default: nil
        }
    }

    private static func sentences(_ error: MPinError, _ server: String) -> (String, Advice?) {
        if error.code == .storageError { return (error.message, storeAdvice(error)) }
        if let about = aboutKey(error.cause, of: server) { return about }
        if let fault = TPMFault(error) { return (fault.sentence, fault.advice) }
        if error.cause == .doubled {
            return (
                "\(server) received this request twice and ignored the second one. The PIN was checked at most once.",
                tryAgain
            )
        }
        if error.cause == .outOfDate, let sentence = CertificateDates(error.secondAuthority ?? server)?.sentence {
            return ("\(server): \(sentence)", advice(.outOfDate, server))
        }
        if let advice = advice(error.cause, server) { return (named(error, server), advice) }
        if error.cause == .unknownHost {
            let host = hostName(in: error.secondAuthority ?? server)
            return (
                "Cannot resolve the host name \(host).",
                Advice("Check the name service: getent hosts \(CommonOptions.quoted(String(host)))").adding(showAddress)
            )
        }
        return switch error.code {
        case .networkError where !error.isLocal:
            (named(error, server), error.httpStatus == nil ? unanswered(server) : checkAddress)
        case .httpServerError:
            ("\(server) reported an error\(status(error)).", Advice("Try again later. See the server's log."))
        case .responseParseError: (named(error, server), checkAddress)
        case .httpRequestError where error.cause == .limited:
            ("\(server) asks you to wait before the next try.", Advice("Wait a minute, then try again."))
        case .httpRequestError where error.cause == .unknownAddress || error.cause == .unknownSession:
            ("\(server) refused the request\(status(error)).", checkAddress)
        case .httpRequestError: ("\(server) refused the request\(status(error)).", askAdministrator(of: server))
        case .badUserAgent:
            (
                "\(server) refuses this program\(status(error)).",
                Advice("Ask the server's administrator why it refuses this program.")
            )
        case .requestExpired: ("\(server) refused the request because it had expired.", Advice("Try again."))
        default: (error.message, nil)
        }
    }

    /// The path of a server's socket; `nil` for another kind of address.
    private static func socket(_ server: String) -> String? {
        let scheme = "unix:"
        return server.hasPrefix(scheme) ? String(server.dropFirst(scheme.count)) : nil
    }

    /// The hint when a server does not answer at its socket or over the network.
    private static func unanswered(_ server: String) -> Advice {
        // The server of another machine need not be an mpin-server, nor run under systemd.
        guard let socket = socket(server) else {
            return showAddress.adding("Check the network, or ask the server's administrator.")
        }
        let path = CommonOptions.quoted(socket)
        let look =
            Systemd.isRunning
            ? Advice("Check whether the server runs: systemctl status mpin-server")
                .adding("If it does not run, start it: sudo systemctl start mpin-server")
            : Advice("Check whether a server listens there: sudo ss -xlp src \(path)")
        return look.adding(showAddress)
    }

    private static let showAddress = Advice("Check the server's address", "status")

    private static var checkAddress: Advice {
        Advice("Check that this is the address of an M-Pin server.").adding(showAddress)
    }

    private static func hostName(in address: String) -> Substring {
        (address.split(separator: "://").last ?? "").prefix { $0 != "/" && $0 != ":" }
    }

    private static func askAdministrator(of server: String) -> Advice { Advice("Ask the administrator of \(server).") }

    /// The message with the server's address in it.
    private static func named(_ error: MPinError, _ server: String) -> String {
        let subject = "The server ", sentence = error.sentence.text.string
        return sentence.hasPrefix(subject) ? "\(server) " + sentence.dropFirst(subject.count) : "\(server): \(sentence)"
    }

    private static func status(_ error: MPinError) -> String { error.httpStatus.map { " (HTTP \($0))" } ?? "" }

    private static let forgotten = Advice("Try again. If you forgot the PIN, enroll again", "recover")
}

// Sockets that not every user may connect to, like that of `mpin-server` before Linux 6.16.
extension CommandFailure {
    /// The failure to connect for lack of permission; `nil` if this process has the permission.
    static func closedSocket(_ error: MPinError, at server: String) -> CommandFailure? {
        guard error.code == .networkError, !error.isLocal, let path = socket(server) else { return nil }
        guard unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0, errno == EACCES else { return nil }
        return CommandFailure(
            .notPermitted, error.code.name, "This user may not connect to \(server).", advice: Advice.useSudo)
    }
}
