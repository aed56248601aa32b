import MPin

/// Brings a registration from wherever it stands to a stored token that has logged in.
///
/// The PIN is asked for last, when the server has nothing more to refuse.
struct RegistrationFlow {
    let target: TargetAccount
    /// How the server lists this machine; `nil` for the host's name.
    let device: String?
    let code: CodeSource
    /// The new PIN.
    let pin: PINSource
    /// Whether a registration that cannot go on is begun anew without asking.
    var startsOver = false
    /// The command that goes on where this one stops.
    var command = "register"
    /// What was begun and given up on the way; the server still knows it.
    let abandoned = AbandonedRegistrations()

    /// - Returns: the registered user, and the PIN for what follows.
    func run(_ client: inout MPinClient) throws(CommandFailure) -> (user: User, pin: NewPIN) {
        let server = try target.requiredServer()
        try pin.require()
        let early = pin.file == nil ? nil : NewPIN(try pin.newPIN(prompt: ""))
        // The code, once it has been asked for; none where it was not.
        var first: String??
        do throws(MPinError) { try client.setBackend(server) } catch { throw CommandFailure(error, at: server) }

        var user = try target.registration(in: client)
        if let begun = user, startsOver || begun.state == .blocked || begun.lastRefusal == .revoked {
            // What there is goes only when there is a code for what comes after it, or the person says that none is needed.
            let wantsForm = client.offers("invitationCode")
            first = .some(
                try withCode(try code.value(for: target.identity)) { code throws(CommandFailure) in
                    if let code, wantsForm { try CodeSource.checkForm(code) }
                    return code
                })
            try forget(begun, &client)
            user = nil
        }
        if let user, user.state == .registered {
            // One that was stored but never proved itself: its PIN has been chosen already.
            let pin: NewPIN
            if let early { pin = early } else { pin = NewPIN(try self.pin.pin(prompt: target.prompt(for: user))) }
            try pin.withPIN { pin throws(CommandFailure) in try target.logIn(&client, as: user, pin: pin) }
            return (user, pin)
        }
        let begun: User
        if let user {
            begun = user
            if user.state == .startedRegistration {
                try withCode(try code.value(for: user.identity)) { code throws(CommandFailure) in
                    if let code { try restart(user, code, &client) }
                }
            }
        } else {
            let given: String?
            if let first { given = first } else { given = try code.value(for: target.identity) }
            begun = try withCode(given) { code throws(CommandFailure) in try start(code, &client) }
        }
        let confirmed = try confirm(begun, &client)
        let pin: NewPIN
        if let early { pin = early } else { pin = NewPIN(try newPIN()) }
        do throws(MPinError) {
            try pin.withPIN { pin throws(MPinError) in try client.finishRegistration(confirmed, pin: pin) }
        } catch { throw CommandFailure(error, of: confirmed) }
        try pin.withPIN { pin throws(CommandFailure) in try target.logIn(&client, as: confirmed, pin: pin) }
        return (confirmed, pin)
    }

    private func newPIN() throws(CommandFailure) -> PIN {
        var source = pin
        source.afterCancelling = CommandFailure.goOn(command)
        return try source.newPIN(prompt: "New PIN for \(target.identity) on \(HostName.here), 4 to 6 digits: ")
    }

    // MARK: Beginning

    /// Does something with a code, and has the person type another one as long as it is the code that was refused.
    ///
    /// The server counts what it refuses, and ends this when that is too often.
    func withCode<R>(
        _ code: String?, _ work: (String?) throws(CommandFailure) -> R
    ) throws(CommandFailure) -> R {
        var code = code
        while true {
            do throws(CommandFailure) { return try work(code) } catch {
                guard code != nil, error.isRefusedCode, let other = self.code.another else { throw error }
                Terminal.say("mpin-enroll: " + visible(error.message))
                code = try other.value(for: target.identity)
            }
        }
    }

    /// Begins a registration that the server does not know yet.
    func start(_ code: String?, _ client: inout MPinClient) throws(CommandFailure) -> User {
        if let code, client.offers("invitationCode") { try CodeSource.checkForm(code) }
        let user = client.makeUser(target.identity, deviceName: device ?? HostName.current)
        do throws(MPinError) { try client.startRegistration(user, activateCode: code) } catch {
            throw refusal(error, code)
        }
        return user
    }

    /// Begins one again that waits to be verified.
    private func restart(_ user: User, _ code: String, _ client: inout MPinClient) throws(CommandFailure) {
        if client.offers("invitationCode") { try CodeSource.checkForm(code) }
        do throws(MPinError) {
            try client.restartRegistration(user, activateCode: code, userData: nil)
        } catch { throw refusal(error, code) }
    }

    /// Gives up a registration that has no token yet, here. The server is told when there is another one that can say so.
    func forget(_ user: User, _ client: inout MPinClient) throws(CommandFailure) {
        let (mpinID, isRevoked) = (user.mpinID, user.lastRefusal == .revoked)
        do throws(MPinError) { try client.deleteUser(user) } catch { throw CommandFailure(error) }
        if !isRevoked && !mpinID.isEmpty { abandoned.mpinIDs.append(mpinID) }
    }

    private func refusal(_ error: MPinError, _ code: String?) -> CommandFailure {
        let server = target.normalServer ?? "The server"
        guard error.code == .identityNotAuthorized else { return CommandFailure(error, at: server) }
        guard code == nil else {
            return CommandFailure(
                .notPermitted, "IDENTITY_NOT_AUTHORIZED",
                "\(server) did not accept this code for '\(target.identity)'.",
                advice: Advice(
                    "Look for a mistyped character first. A code works once, for one identity, until it expires. "
                        + "Another identity: --identity. "
                        + "With a new code of the administrator's", command)
            ).refusingCode()
        }
        let message = "\(server) does not register '\(target.identity)' without a code."
        guard self.code.canAsk else {
            return CommandFailure(
                .inputNeeded, "INPUT_NEEDED", message,
                advice: Advice("Give one in a file", command + " --code-file FILE"))
        }
        return CommandFailure(
            .notPermitted, "IDENTITY_NOT_AUTHORIZED", message,
            advice: Advice(
                "Ask the administrator for one (mpin-server invite \(CommonOptions.quoted(target.identity))). With it",
                command))
    }
}
