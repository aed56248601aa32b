// SPDX-License-Identifier: Apache-2.0
package import MPin
internal import MPinWire

/// Performs actions for one account. The agent performs them for users who may not read the store, root's mpin-enroll
/// for itself, except enrollment and recovery: root's may also verify by mail or by a hook (`RegistrationFlow`,
/// `RecoveryFlow`).
package struct AccountActions {
    let records: AccountRecords
    let caller: any ActionCaller

    package init(_ records: AccountRecords, for caller: any ActionCaller) {
        (self.records, self.caller) = (records, caller)
    }

    /// Performs an action, and returns the values for the user.
    package func perform(_ action: AccountAction) throws(ActionFailure) -> ActionFields {
        switch action.kind {
        case .read: try read(asksServers: !action.purpose.isEmpty)
        case .send: try deny(action.argument)
        case .logIn: try logIn(action.purpose, action.argument)
        case .changePIN: try changePIN()
        case .enroll where action.purpose == "register": try enroll(action.argument)
        case .enroll: try recover(action.argument)
        }
    }

    // MARK: Without a PIN

    private func read(asksServers: Bool) throws(ActionFailure) -> ActionFields {
        let client = try records.open()
        var fields = ActionFields()
        guard asksServers else {
            let user = try records.existing(in: client)
            fields.add(user.summary)
            fields.add(records.isHalfRecovered(user))
            return fields
        }
        let users = client.allUsers.filter { !records.isNamed || $0.identity == records.identity }
        guard !users.isEmpty else { throw ActionFailure(.notEnrolled) }
        var keys: [String: (key: String?, error: MPinError?)] = [:]
        fields.add(users.count)
        for user in users {
            fields.add(user.summary)
            let (key, error) = keys[user.backend] ?? presentKey(at: user.backend, isKnown: user.hasDeviceKey)
            keys[user.backend] = (key, error)
            fields.add(key)
            fields.add(error)
        }
        return fields
    }

    /// The fingerprint of the key that the server at an address has just proven, or why there is none.
    private func presentKey(at address: String, isKnown: Bool) -> (key: String?, error: MPinError?) {
        do throws(MPinError) {
            let server = try MPinClient.hello(address, options: records.transport, isKnown: isKnown)
            // Anything between can pass the question on. Logins need a certificate, too.
            if isKnown { try MPinClient.test(address, server, options: records.transport) }
            return (server.fingerprintText, nil)
        } catch { return (nil, error) }
    }

    private func deny(_ text: String) throws(ActionFailure) -> ActionFields {
        var client = try records.open()
        let user = try records.existing(in: client)
        guard let code = AccessCode(text) else { throw ActionFailure(.malformedCode) }
        let isDenied: Bool
        do throws(MPinError) {
            // A missing extension is reported before a malformed number.
            guard try client.setBackend(of: user, needing: .deny) else {
                throw MPinError(.flowError, "The server does not support denying a login.")
            }
            try code.check(client)
            isDenied = try client.deny(code.text)
        } catch {
            guard error.code == .flowError else { throw ActionFailure(error, at: user.backend) }
            throw ActionFailure(.notOffered, texts: [user.backend, "rejecting sign-in requests"])
        }
        guard isDenied else { throw ActionFailure(.unknownSession, user.summary) }
        var fields = ActionFields()
        fields.add(user.backend)
        return fields
    }

    // MARK: Changing the PIN

    /// Proves the old PIN before the user has to think of a new one.
    private func changePIN() throws(ActionFailure) -> ActionFields {
        var client = try records.open()
        let user = try records.usable(in: client)
        try checkRevocation(&client, of: user)
        let old = try currentPIN(client, of: user)
        try prove(&client, as: user, old) { client, pending, pin throws(MPinError) in
            _ = try client.finishAuthentication(pending, pin: pin)
        }
        // The login with the new PIN resets the warning of this one.
        let wrong = user.wrongSinceLastLogin
        let new = try newPIN(ActionQuestion(.newPIN, user))
        guard !new.equals(old.pin) else { throw ActionFailure(.samePIN) }
        do throws(MPinError) { try client.changePIN(user, from: old.pin, to: new) } catch {
            throw error.cause == .unconfirmedWrite
                ? ActionFailure(.unconfirmedPIN, user.summary) : records.failure(error, of: user)
        }
        var fields = login(user, &client, new)
        fields.add(wrong)
        return fields
    }

    /// Asks for a new PIN, which the agent checks too: the program that asked for it can be any.
    func newPIN(_ question: ActionQuestion) throws(ActionFailure) -> PIN {
        let pin = try caller.ask(question)
        guard pin.weakness() == nil else { throw ActionFailure(.weakPIN) }
        return pin
    }
}

/// The user for whom an action is performed: at the other end of a connection to the agent, or at the terminal of root's
/// own mpin-enroll.
package protocol ActionCaller {
    /// - Returns: the secret, which is empty if the user pressed only Enter.
    /// - Throws: ``ActionFailure/Kind/unanswered`` when the user canceled or has disconnected.
    func ask(_ question: ActionQuestion) throws(ActionFailure) -> PIN
}
