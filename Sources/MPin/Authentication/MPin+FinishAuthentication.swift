internal import MPinCrypto
internal import MPinWire

extension MPin {
    /// Logs in with a PIN.
    ///
    /// Success means that the server verified token and PIN together, that its last answer was 200 with a valid body, and
    /// that it named no other identity and no other server than those of the registration.
    /// - Throws: INCORRECT_PIN; when it was the last wrong one the user becomes BLOCKED. With nothing sent:
    ///   PIN_INPUT_CANCELED for an empty PIN, INCORRECT_PIN for one of another length than was set.
    public mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> AuthenticationResult {
        try requireHere(pending.user)
        let answer = try finish(pending, as: pending.user, pin: pin, final: .authenticate).answer
        return AuthenticationResult(data: String(decoding: answer.raw, as: UTF8.self), userID: answer.userID)
    }

    /// Logs in and has another registration of the same identity revoked, at servers that offer it.
    ///
    /// - Parameter mpinID: the M-Pin ID of that registration, or of the one that logs in.
    /// - Throws: HTTP_REQUEST_ERROR (404) when the server knows no such registration, FLOW_ERROR when it does not offer this.
    package mutating func revoke(
        registration mpinID: String, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) {
        guard pending.server.settings.offers("revoke"), pending.server.settings.revokeURL != nil,
            let mpinID = HexText(text: Array(mpinID.utf8).span)
        else { throw MPinError(.flowError, "The server does not let users revoke registrations.") }
        _ = try finish(pending, as: pending.user, pin: pin, final: .revoke(mpinID))
    }

    /// Logs in as the pending user, or as the same registration with a token that has to prove itself.
    mutating func finish(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, final: FinalCall
    ) throws(MPinError) -> AcceptedLogin {
        guard user.state == .registered else { throw MPinError(.flowError, "Only a registered user can log in.") }
        guard !pin.isEmpty else { throw MPinError(.pinInputCanceled, "No PIN was given.") }
        if let length = user.pinLength, !pin.isDigits(count: length...length) {
            // It cannot be right, so no attempt is spent on it.
            throw MPinError(.incorrectPIN, "The PIN has another number of digits. Nothing was sent.")
        }
        let deadline = deadline()
        do throws(MPinError) {
            let passTwo = try passes(pending, as: user, pin: pin, final, deadline)
            let answer = try present(passTwo.authOTT, pending, final, finalDeadline(of: final, deadline))
            if user.attemptsLeft != nil || user.lastRefusal != nil {
                (user.attemptsLeft, user.lastRefusal) = (nil, nil)
                pending.cache.update { ($0.attemptsLeft, $0.refusal) = (nil, nil) }
                pending.cache.write(to: store)
            }
            return AcceptedLogin(answer: answer, otp: passTwo.otp)
        } catch {
            learn(from: error, pending)
            throw error
        }
    }

    /// The final call: the one answer that decides.
    private func present(
        _ authOTT: HexText, _ pending: borrowing PendingAuthentication, _ final: FinalCall, _ deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        let server = pending.server
        let url: String
        let request: AuthenticateRequest
        switch final {
        case .authenticate, .oneTimePassword:
            url = try server.url(server.settings.authenticateURL)
            request = AuthenticateRequest(authOTT: authOTT)
        case .accessNumber:
            url = try server.url(server.settings.mobileAuthenticateURL)
            request = AuthenticateRequest(authOTT: authOTT)
        case .revoke(let mpinID):
            url = try server.url(server.settings.revokeURL)
            request = AuthenticateRequest(authOTT: authOTT, revoke: mpinID)
        }
        try server.request(.authenticate, "POST", url, body: request.encode(), deadline: deadline)
        let answer: AuthenticateResponse
        do throws(MPinError) {
            answer = try server.transport.read { body throws(WireError) in try AuthenticateResponse.decode(body) }
        } catch { throw error.with(.maybe) }
        guard !answer.wasEmpty else {
            throw MPinError(.responseParseError, "The server's last answer was empty.", pinChecked: .maybe)
        }
        try MPin.check(answer, for: pending.user)
        return answer
    }

    /// When the final call must be over: a server may keep one with an access number waiting for the other side.
    private func finalDeadline(of final: FinalCall, _ deadline: Deadline) -> Deadline {
        guard case .accessNumber = final, overallDeadline == nil else { return deadline }
        return Deadline(millisecondsFromNow: FinalCall.longestHold + options.timeoutMilliseconds)
    }

    /// Refuses an answer for another identity or from another server than those of the registration.
    ///
    /// A server with a name of its own must say both; others are checked for what they say.
    private static func check(_ answer: AuthenticateResponse, for user: User) throws(MPinError) {
        let mismatch = MPinError(
            .responseParseError, "The server answered for another identity or is another server.", pinChecked: .yes)
        if let userID = answer.userID, !userID.hasSameBytes(as: user.identity) { throw mismatch }
        guard let expected = user.serverID else { return }
        guard answer.userID != nil, let serverID = answer.serverID,
            serverID.lowercased.string.hasSameBytes(as: expected)
        else { throw mismatch }
    }

    /// Keeps what a failed login tells: a block for good, the rest for the next prompt.
    private mutating func learn(from error: MPinError, _ pending: borrowing PendingAuthentication) {
        let user = pending.user
        note(error, of: user, in: pending.cache)
        guard error.code == .incorrectPIN, error.pinChecked == .yes else { return }
        let isBlocked = error.httpStatus == 410
        user.attemptsLeft = isBlocked ? 0 : error.attemptsLeft
        pending.cache.update { $0.attemptsLeft = user.attemptsLeft }
        pending.cache.write(to: store)
        guard isBlocked else { return }
        user.state = .blocked
        if isListed(user) {
            // Failing to write it down changes nothing: the server says it again at the next try.
            do throws(StoreError) { try RecordFile.write(user, to: store) } catch {}
        }
    }
}
