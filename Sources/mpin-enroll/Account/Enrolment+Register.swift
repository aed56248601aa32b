import MPin

extension Enrolment {
    /// Brings a registration from wherever it stands to a stored token that has logged in.
    ///
    /// The PIN is asked for last, when the server has nothing more to refuse.
    /// - Returns: the registered user, and the PIN for what follows.
    func register(
        _ client: inout MPin, device: String?, code: () throws(CommandFailure) -> String?, pin source: PINSource
    ) throws(CommandFailure) -> (user: User, pin: NewPIN) {
        let server = try requiredServer()
        let early = source.file == nil ? nil : NewPIN(try source.newPIN(prompt: ""))
        do throws(MPinError) { try client.setBackend(server) } catch { throw CommandFailure(error) }

        let user: User
        if let started = try registration(in: client) {
            user = started
            if user.state == .startedRegistration, let code = try code() { try restart(&client, user, code) }
        } else {
            user = client.makeUser(identity, deviceName: device ?? HostName.current)
            let code = try code()
            do throws(MPinError) { try client.startRegistration(user, activateCode: code) } catch {
                throw CommandFailure(error)
            }
        }
        if user.state != .registered {
            try confirm(&client, user, code, mayAsk: source.mayAsk)
            let pin: NewPIN
            if let early {
                pin = early
            } else {
                pin = NewPIN(try source.newPIN(prompt: "New PIN for \(identity) on this machine: "))
            }
            do throws(MPinError) {
                try pin.withPIN { pin throws(MPinError) in try client.finishRegistration(user, pin: pin) }
            } catch { throw CommandFailure(error) }
            try pin.withPIN { pin throws(CommandFailure) in try logIn(&client, as: user, pin: pin) }
            return (user, pin)
        }
        // A registration that was stored but never proved itself: the PIN has been chosen already.
        let pin: NewPIN
        if let early { pin = early } else { pin = NewPIN(try source.pin(prompt: prompt(for: user))) }
        try pin.withPIN { pin throws(CommandFailure) in try logIn(&client, as: user, pin: pin) }
        return (user, pin)
    }

    private func confirm(
        _ client: inout MPin, _ user: User, _ code: () throws(CommandFailure) -> String?, mayAsk: Bool
    ) throws(CommandFailure) {
        do throws(MPinError) { return try client.confirmRegistration(user) } catch {
            // 401 means to wait; 400 means that the server has no such registration any more.
            if error.httpStatus == 401, mayAsk, let terminal = Terminal() {
                return try awaitVerification(of: user, &client, terminal)
            }
            guard error.httpStatus == 400, let code = try code() else { throw CommandFailure(error, state: user.state) }
            try restart(&client, user, code)
        }
        do throws(MPinError) { try client.confirmRegistration(user) } catch {
            throw CommandFailure(error, state: user.state)
        }
    }

    private func restart(_ client: inout MPin, _ user: User, _ code: String) throws(CommandFailure) {
        do throws(MPinError) {
            try client.restartRegistration(user, activateCode: code, userData: nil, fromActivated: true)
        } catch { throw CommandFailure(error) }
    }
}

/// A PIN that was just chosen, on its way through the steps that need it; a class because tuples and optionals of what
/// is not copyable cannot be passed on.
final class NewPIN {
    private let pin: PIN

    init(_ pin: consuming PIN) {
        self.pin = pin
    }

    func withPIN<R, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R {
        try body(pin)
    }
}
