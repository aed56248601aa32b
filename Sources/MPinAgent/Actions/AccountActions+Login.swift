// SPDX-License-Identifier: Apache-2.0
package import MPin
internal import MPinConfiguration
internal import MPinWire

// Logins that prove the PIN.
extension AccountActions {
    func logIn(_ name: String, _ argument: String) throws(ActionFailure) -> ActionFields {
        guard let purpose = OwnerPurpose.find(name) else { throw ActionFailure(.notPermitted) }
        guard let work = purpose.work else {
            return try approve(argument, thenSignsOut: name == OwnerPurpose.approveAndSignOut.name)
        }
        var client = try records.open()
        let user = try begin(&client, purpose)
        let pin = try currentPIN(client, of: user)
        let answer = try prove(&client, as: user, pin) { client, pending, pin throws(MPinError) in
            try work(&client, pending, pin, argument)
        }
        return login(user, &client, pin.pin, answer)
    }

    /// Opens a registration that can log in, before the user is asked for anything.
    private func begin(_ client: inout MPinClient, _ purpose: OwnerPurpose) throws(ActionFailure) -> User {
        let user = try records.usable(in: client)
        if let needed = purpose.needed {
            let isOffered: Bool
            do throws(MPinError) { isOffered = try client.setBackend(of: user, needing: needed.extension) } catch {
                throw ActionFailure(error, at: user.backend)
            }
            guard isOffered else { throw ActionFailure(.notOffered, texts: [user.backend, needed.name]) }
            guard user.hasDeviceKey else { throw ActionFailure(.noDeviceKey, user.summary, texts: [needed.name]) }
        }
        try checkRevocation(&client, of: user)
        return user
    }

    /// Checks with the server whether a revoked registration is still revoked, before the user types a PIN.
    func checkRevocation(_ client: inout MPinClient, of user: User) throws(ActionFailure) {
        guard user.lastRefusal != nil else { return }
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            _ = try client.startAuthentication(user)
        } catch { throw records.failure(error, of: user) }
    }

    /// Asks for the PIN of a registration, twice if this machine expects a wrong one to block it.
    package func currentPIN(
        _ client: borrowing MPinClient, of user: User, _ session: SessionSummary? = nil
    ) throws(ActionFailure) -> CallerPIN {
        let question = ActionQuestion(.pin, user, attemptsLeft: records.shownTries(client, of: user), session)
        var pin = CallerPIN(try caller.ask(question), caller, mayBeLast: !records.configuration.guardLast)
        guard records.isLastTry(client, of: user) else { return pin }
        try pin.confirm(.lastTry, user)
        pin.noteConfirmed()
        return pin
    }

    /// Starts and finishes a login, if nothing has to be shown between the start and the PIN.
    func prove<Result>(
        _ client: inout MPinClient, as user: User, _ pin: borrowing CallerPIN,
        _ work: (inout MPinClient, borrowing PendingAuthentication, borrowing PIN) throws(MPinError) -> Result
    ) throws(ActionFailure) -> Result {
        let pending: PendingAuthentication
        do throws(MPinError) {
            if client.backend == nil { try client.selectBackend(user.backend) }
            pending = try client.startAuthentication(user)
        } catch { throw records.failure(error, of: user) }
        return try records.finish(pending, &client, pin, work)
    }

    /// The values after a login: the registration, what the server answered about those that it replaced, and more.
    func login(
        _ user: User, _ client: inout MPinClient, _ pin: borrowing PIN, _ more: ActionFields = ActionFields()
    ) -> ActionFields {
        let replaced = ReplacedRegistrations(&client, by: user, pin)
        var fields = ActionFields()
        fields.add(user.summary)
        fields.add(replaced.rawValue)
        fields.append(more)
        return fields
    }

    // MARK: Sessions

    /// Signs in a session. With a device key, the login counts only for the session whose details the user has seen.
    /// Without one, the details are fetched again, so that the number has no other session by then.
    private func approve(_ text: String, thenSignsOut: Bool) throws(ActionFailure) -> ActionFields {
        var client = try records.open()
        let user = try records.usable(in: client)
        guard let code = AccessCode(text) else { throw ActionFailure(.malformedCode) }
        do throws(MPinError) {
            try client.setBackend(of: user)
            try code.check(client)
        } catch { throw ActionFailure(error, at: user.backend) }
        let details = try details(of: code, for: user, &client)
        let pending: PendingAuthentication
        do throws(MPinError) { pending = try client.startAuthentication(user, accessCode: code.text) } catch {
            throw records.failure(error, of: user)
        }
        let shown = SessionSummary(details)
        let pin = try currentPIN(client, of: user, shown)
        if !user.hasDeviceKey, try SessionSummary(self.details(of: code, for: user, &client)) != shown {
            throw ActionFailure(.unknownSession, user.summary)
        }
        // Failures that are not about the PIN have their own messages.
        let refusal = try records.finish(pending, &client, pin) { client, pending, pin throws(MPinError) in
            do throws(MPinError) {
                try client.finishAuthenticationAN(pending, pin: pin, accessNumber: code.text, details: details)
                return ActionFailure.Kind?.none
            } catch {
                if error.code == .incorrectAccessNumber { return .unknownSession }
                guard error.code == .requestExpired, error.pinChecked != .no else { throw error }
                return .lateSession
            }
        }
        if let refusal { throw ActionFailure(refusal, user.summary) }
        let canSignOut = client.canLogout(user)
        if thenSignsOut {
            guard canSignOut else { throw ActionFailure(.notSignedOut) }
            _ = try caller.ask(ActionQuestion(.enter, user))
            guard client.logout(user) else { throw ActionFailure(.notSignedOut) }
        }
        var fields = ActionFields()
        fields.add(user.summary)
        fields.add(ReplacedRegistrations.none.rawValue)
        fields.add(canSignOut)
        return fields
    }

    private func details(
        of code: AccessCode, for user: User, _ client: inout MPinClient
    ) throws(ActionFailure) -> SessionDetails {
        let details: SessionDetails
        do throws(MPinError) { details = try client.getSessionDetails(code.text) } catch {
            throw error.cause == .unknownSession
                ? ActionFailure(.unknownSession, user.summary) : ActionFailure(error, at: user.backend)
        }
        // A server that supports device keys or `requester` sends one for every session that it knows.
        if user.hasDeviceKey || client.offers(.requester), details.requester == nil {
            throw ActionFailure(.unknownSession, user.summary)
        }
        return details
    }
}
