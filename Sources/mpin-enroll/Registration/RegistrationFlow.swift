// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinCrypto
import MPinWire

/// Brings a registration from any state to a stored token, which logs in.
///
/// The PIN is asked for after the verification and before the shares are fetched. The server issues the shares only
/// once, so a user who quits at the PIN prompt loses nothing. If a mailed link is the only verification, polling for it
/// fetches the shares, and the PIN is asked for afterwards.
struct RegistrationFlow {
    let target: TargetAccount
    /// The device name shown in the server's lists; `nil` for the host name.
    let device: String?
    let code: CodeSource
    let pin: PINSource
    /// Whether an unfinished registration is discarded without asking.
    var startsOver = false
    /// The command that continues an interrupted registration, for hints.
    var command = "register"
    /// The key that the server must have, as the user named it.
    var serverKey: KeyFingerprint?
    /// The key of the registration that the new one replaces.
    var formerKey: KeyFingerprint?
    /// Whether the new registration logs in at the end. A recovery does this login itself.
    var logsIn = true
    /// What several steps find out.
    let progress = EnrollmentProgress()

    func hint(_ words: String, _ command: String) -> Advice {
        Advice(words, command, of: Advice.Subject(identity: target.identity, server: target.normalServer))
    }

    private enum Step {
        /// Start a new registration, which replaces an unfinished one if there is one.
        case start(insteadOf: User?)
        case resume(User)
        /// Log in with a stored token that never logged in. Its PIN has already been chosen.
        case logIn(User)
    }

    /// - Returns: the registered user, and the PIN for further logins.
    func run(_ client: inout MPinClient) throws(CommandFailure) -> (user: User, pin: NewPIN) {
        let server = try target.requiredServer()
        try pin.require()
        if pin.file != nil { progress.pin = NewPIN(try pin.newPIN(prompt: "")) }
        do throws(MPinError) { try client.selectBackend(server) } catch { throw CommandFailure(error, at: server) }
        let registered: (user: User, pin: NewPIN)
        switch try firstStep(client) {
        case .start(let old):
            let user = try start(chosenCode(&client), &client, insteadOf: old)
            try agree(toKeyOf: user)
            registered = try complete(user, &client)
        case .resume(let user):
            Terminal.say(visible("Continuing the enrollment of \(user.identity) that was started before."))
            do throws(MPinError) { try client.setBackend(server) } catch { throw CommandFailure(error, at: server) }
            try agree(toKeyOf: user)
            try useCode(for: user, &client)
            registered = try complete(user, &client)
        case .logIn(let user):
            try agree(toKeyOf: user)
            registered = (user, try storedPIN(of: user))
        }
        if logsIn {
            try registered.pin.withPIN { pin throws(CommandFailure) in
                try logIn(&client, as: registered.user, pin: pin)
            }
        }
        return registered
    }

    private func firstStep(_ client: borrowing MPinClient) throws(CommandFailure) -> Step {
        guard let begun = try target.registration(in: client) else { return .start(insteadOf: nil) }
        if target.demandsTPM, !startsOver, begun.keyPlace != .tpm {
            throw CommandFailure(
                .enrolledAlready, "BEGUN_WITHOUT_TPM",
                "The enrollment of \(begun.identity) was started without the TPM.",
                advice: hint("Start again", "\(command) --tpm --start-over"))
        }
        if let serverKey, !startsOver, begun.serverKeyFingerprint != serverKey {
            throw CommandFailure(
                .enrolledAlready, "BEGUN_WITH_OTHER_KEY",
                "The enrollment of \(begun.identity) was started at a server with another key.",
                advice: hint("Start again", "\(command) --start-over"))
        }
        if startsOver || begun.state == .blocked || begun.lastRefusal == .revoked { return .start(insteadOf: begun) }
        // It was begun at another server than that of the enrollment. A code proves its own server.
        if let formerKey, begun.serverKeyFingerprint != formerKey, try code.given() != nil {
            return .start(insteadOf: begun)
        }
        // TLS alone vouched for the server of the begun enrollment. A code proves which one it is.
        if begun.state != .registered, begun.serverKeySource ?? .tls == .tls, client.isOverNetwork,
            case .invitation? = try code.given()
        {
            return .start(insteadOf: begun)
        }
        return begun.state == .registered ? .logIn(begun) : .resume(begun)
    }

    /// Fetches the shares, and stores the token for the new PIN.
    private func complete(
        _ begun: User, _ client: inout MPinClient
    ) throws(CommandFailure) -> (user: User, pin: NewPIN) {
        let user = try confirm(begun, &client)
        let pin = try newPIN()
        do throws(MPinError) {
            try pin.withPIN { pin throws(MPinError) in try client.finishRegistration(user, pin: pin) }
        } catch { throw CommandFailure(error, of: user) }
        return (user, pin)
    }

    private func storedPIN(of user: User) throws(CommandFailure) -> NewPIN {
        if try code.given() != nil {
            Terminal.say(
                visible(
                    "mpin-enroll: The code was not used: a new enrollment of \(user.identity) is already waiting "
                        + "for its first login. To discard it and use a code, add --start-over."))
        }
        if let given = progress.pin { return given }
        return NewPIN(try pin.pin(prompt: "PIN that you chose for the new enrollment of \(user.identity): "))
    }

    /// The new PIN; asks for it if there is none yet.
    func newPIN() throws(CommandFailure) -> NewPIN {
        if let chosen = progress.pin { return chosen }
        var source = pin
        source.afterCanceling = hint("Continue", command)
        let prompt = "New PIN for \(target.identity) on \(HostName.here), 4 to 6 digits: "
        let chosen = NewPIN(try source.newPIN(prompt: prompt))
        progress.pin = chosen
        return chosen
    }

    /// Logs in to check the PIN; no session is opened.
    private func logIn(_ client: inout MPinClient, as user: User, pin: borrowing PIN) throws(CommandFailure) {
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            let pending = try client.startAuthentication(user)
            _ = try client.finishAuthentication(pending, pin: pin)
        } catch { throw CommandFailure(target.records.failure(error, of: user), for: target) }
    }

    // MARK: Starting

    /// The code for a new registration. At a socket whose server does not announce codes, only one from the command
    /// line is used. A server of 2016 has no codes to prove.
    ///
    /// Over the network, the user is asked in any other case. The settings are not proven: an attacker could hide that
    /// there are codes, and then TLS alone would decide which server the enrollment believes.
    func chosenCode(_ client: inout MPinClient) throws(CommandFailure) -> RegistrationCode? {
        let mayHaveCodes = serverKey == nil && client.isOverNetwork && !target.acceptsOldServer
        if code.isOfApplication || mayHaveCodes { return try code.value(for: target.identity) }
        if let given = try code.given() { return given }
        do throws(MPinError) { try choose(nil, &client) } catch { throw refusal(error, nil, client) }
        return client.offers(.invitationCode) ? try code.value(for: target.identity) : nil
    }

    /// Chooses the server, whose key the code or the named fingerprint proves.
    private func choose(_ code: RegistrationCode?, _ client: inout MPinClient) throws(MPinError) {
        guard let server = target.normalServer else { return }
        try client.setBackend(server, enrolling: target.identity, code, serverKey: serverKey)
    }

    /// Calls `work` with a code, and asks for another code as long as the server refuses it.
    ///
    /// The server limits the rate of refused codes.
    func withCode<R>(
        _ code: RegistrationCode?, _ work: (RegistrationCode?) throws(CommandFailure) -> R
    ) throws(CommandFailure) -> R {
        var code = code
        while true {
            do throws(CommandFailure) { return try work(code) } catch {
                guard code != nil, case .refusedCode? = error.circumstance as? Circumstance,
                    let other = self.code.another
                else {
                    throw error
                }
                Terminal.say("mpin-enroll: " + visible(error.message))
                Terminal.say("It may be mistyped, used, canceled, expired, or for another user.")
                code = try other.value(for: target.identity)
            }
        }
    }

    /// Starts a new registration with a code, or with another one if the server refuses it.
    ///
    /// - Parameter old: an unfinished one, which is kept until the server has been reached. The server must still have its
    ///   key, unless a code proves another one.
    func start(
        _ code: RegistrationCode?, _ client: inout MPinClient, insteadOf old: User? = nil
    ) throws(CommandFailure) -> User {
        let former = old?.serverKeyFingerprint
        var old = old
        return try withCode(code) { code throws(CommandFailure) in
            do throws(MPinError) { try choose(code, &client) } catch { throw refusal(error, code, client) }
            if let unfinished = old {
                try forget(unfinished, &client)
                old = nil
            }
            let user = client.makeUser(target.identity, deviceName: device ?? HostName.current)
            do throws(MPinError) {
                let known = if case .invitation? = code { nil as KeyFingerprint? } else { former }
                try client.startRegistration(user, code, serverKey: (serverKey ?? known)?.text)
            } catch { throw refusal(error, code, client) }
            return user
        }
    }

    /// Restarts a registration that waits for verification with a code. At a server of 2016, that would undo a
    /// verification that has happened meanwhile.
    private func useCode(for user: User, _ client: inout MPinClient) throws(CommandFailure) {
        guard user.state == .startedRegistration else { return }
        let isAsked = client.offers(.invitationCode)
        let code = try isAsked ? code.value(for: user.identity) : code.given()
        guard isAsked || user.hasDeviceKey else {
            if code != nil {
                Terminal.say(
                    visible(
                        "mpin-enroll: The code was not used: \(user.backend) accepts codes only for a new "
                            + "enrollment. '\(command) --start-over' starts one."))
            }
            return
        }
        try withCode(code) { code throws(CommandFailure) in
            guard let code else { return }
            do throws(MPinError) { try client.restartRegistration(user, code) } catch {
                throw refusal(error, code, client)
            }
        }
    }

    /// Deletes an unfinished registration locally. The server is asked to revoke it once a new registration can log in.
    func forget(_ user: User, _ client: inout MPinClient) throws(CommandFailure) {
        do throws(ActionFailure) { progress.abandoned += try client.discard(user) } catch {
            throw CommandFailure(error, for: target)
        }
    }

    private func refusal(
        _ error: MPinError, _ code: RegistrationCode?, _ client: borrowing MPinClient
    ) -> CommandFailure {
        let server = target.normalServer ?? "The server"
        if error.cause == .unexpectedOldServer {
            return CommandFailure.unexpectedOldServer(server, hint("If it is", command + " --old-server"))
        }
        if serverKey != nil, error.cause == .otherServerKey {
            let advice = Advice(
                "This may be an attack. Compare the fingerprint with the server's administrator. Show the server's key",
                "server show")
            let isConfigured = serverKey == target.configuredServerKey(of: target.normalServer)
            return CommandFailure(error, at: server).advising(
                isConfigured ? advice.adding("The expected one is server_key in mpin.conf.") : advice)
        }
        if error.cause == .startedWithoutKey {
            return CommandFailure(
                .enrolledAlready, "BEGUN_WITHOUT_KEY",
                "The enrollment of \(target.identity) was started without a device key. The code was not used.",
                advice: hint("Start again with the code", "\(command) --start-over"))
        }
        guard error.code == .identityNotAuthorized else {
            let failure = CommandFailure(error, at: server)
            if code == nil, error.cause == .unknownIssuer {
                return failure.advising(
                    hint("With an invitation, no CA is needed: ask the administrator for one, and run", command)
                        .adding(failure.advice ?? Advice("See: man mpin-enroll")))
            }
            guard target.demandsTPM, let advice = TPMFault(error)?.advice, error.cause != .closedTPM else {
                return failure
            }
            return failure.adding("The enrollment was not started.").advising(
                advice.adding(hint("Or keep the device key in a file", command)))
        }
        // A script needs the option for another code.
        let canAsk = self.code.canAsk, next = canAsk ? command : command + " --code-file FILE"
        guard code == nil else {
            return CommandFailure.refusedCode(
                at: server, for: target.identity, isProven: !client.isOverNetwork || error.cause != .unproven)
        }
        guard client.offers(.invitationCode) else {
            return CommandFailure(
                .notPermitted, "IDENTITY_NOT_AUTHORIZED", "\(server) does not allow '\(target.identity)' to enroll.",
                advice: hint(
                    "Ask its administrator to allow it. If you get a code, run",
                    command + " --application-code --code-file FILE"))
        }
        return CommandFailure(
            canAsk ? .notPermitted : .inputNeeded, canAsk ? "IDENTITY_NOT_AUTHORIZED" : "INPUT_NEEDED",
            "\(server) requires a code to enroll '\(target.identity)'.",
            advice: hint(
                "Ask the administrator for one "
                    + "(sudo mpin-server invite \(CommonOptions.quoted(target.identity))). Then run", next))
    }
}
