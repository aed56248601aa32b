// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Logs in as the pending user, or as a copy of the registration whose new token still has to prove itself.
    mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, final: FinalCall
    ) throws(MPinError) -> AcceptedLogin {
        guard user.state == .registered else { throw user.wrongState }
        guard !pin.isEmpty else { throw MPinError(.pinInputCanceled, "No PIN was given.") }
        if let length = user.pinLength, !pin.isDigits(count: length...length) {
            // Such a PIN cannot be right, so no attempt is used on it.
            throw MPinError(.incorrectPIN, "The PIN has the wrong number of digits. Nothing was sent.")
        }
        guard !pending.hasLapsed else {
            throw MPinError(.flowError, "The day has changed since this login began: start the login again.")
        }
        let login: AcceptedLogin
        do throws(MPinError) { login = try prove(pending, as: user, pin: pin, final) } catch {
            learn(from: error, pending)
            throw error
        }
        // A new PIN that proves itself has no wrong PINs to report: the old PIN has just logged in.
        let wrong = user === pending.user ? login.answer.wrongSinceLastLogin : user.wrongSinceLastLogin
        let left = login.answer.attemptsLeft
        if user.attemptsLeft != left || user.lastRefusal != nil || user.wrongSinceLastLogin != wrong {
            (user.attemptsLeft, user.wrongSinceLastLogin) = (left, wrong)
            user.forgetRefusal()
            pending.cache.change { login in
                (login.attemptsLeft, login.wrongSinceLastLogin) = (left, wrong)
                login.forgetRefusal()
            }
        }
        pending.cache.write(to: store)
        forgetAttempts(at: user)
        #if !hasFeature(Embedded)
        user.awaitsFirstLogin = false
        #endif
        return login
    }

    /// Proves the PIN with the device's signature or with the two passes, as the registration requires.
    ///
    /// A registration with a key never uses the two passes, whatever the settings say. If the key is pending, the
    /// signed login is tried first, because the server may already have the key without this machine knowing it.
    private mutating func prove(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, _ final: FinalCall
    ) throws(MPinError) -> AcceptedLogin {
        let deadline = deadline()
        if let key = user.key {
            if pending.isDirect {
                do throws(MPinError) {
                    return try proveDirectly(pending, as: user, key, pin: pin, final, deadline)
                } catch {
                    // The server checks a good signature before any limit by source, so both statuses mean that the
                    // signature was not good. Only wrong access numbers are limited after that check.
                    let isLimited = error.cause == .limited && final.session == nil
                    guard key.isPending, error.cause == .unknownDevice || isLimited else { throw error }
                }
            }
            guard key.isPending else { throw MPinClient.otherKey }
        } else {
            guard !pending.isDirect else { throw MPinClient.otherKey }
            prepareKey(for: user, pending, final, deadline)
        }
        do throws(MPinError) {
            if pending.isDirect, pending.day == nil { try obtainPermit(for: pending, until: deadline) }
            return try provePassing(pending, as: user, pin: pin, final, deadline)
        } catch {
            // If another login has given the server the key meanwhile, this login is signed, with a new x: once, and
            // never in the other direction.
            if let key = keyBoundMeanwhile(error, pending, deadline) {
                user.key = key
                return try proveDirectly(pending, as: user, key, pin: pin, final, deadline, after: error)
            }
            guard renewPermit(after: error, pending, deadline) else { throw error }
            return try provePassing(pending, as: user, pin: pin, final, deadline)
        }
    }

    /// The error for a login that was started for the other kind of registration.
    private static var otherKey: MPinError {
        MPinError(.flowError, "Another process has changed this registration: start the login again.")
    }

    /// Runs pass 1, pass 2 and the final call.
    ///
    /// Servers that do not name a pass 1 keep one per registration, so the earlier of two concurrent logins would count
    /// as a wrong PIN. Only with such servers, the logins of an account take turns, for at most a second: a stopped
    /// process must not block other logins.
    @inline(never)
    private mutating func provePassing(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, _ final: FinalCall,
        _ deadline: Deadline
    ) throws(MPinError) -> AcceptedLogin {
        let server = pending.server
        let url = try server.finalURL(final, until: deadline)
        let turn = server.settings.offers(.passID) ? nil : store.turn(until: deadline)
        return try withExtendedLifetime(turn) { () throws(MPinError) in
            let passTwo = try runPasses(pending, as: user, pin: pin, final, deadline)
            let binding = binding(of: user, at: server, final, handle: passTwo.authOTT)
            let answer: AuthenticateResponse
            do throws(MPinError) {
                answer = try server.authenticate(
                    passTwo.authOTT, final, binding, at: url, until: finalDeadline(of: final, deadline))
            } catch { throw binding == nil ? error : MPinClient.refusedBinding(error) }
            try MPinClient.check(answer, for: pending.user)
            if binding != nil { confirmKey(of: user) }
            return AcceptedLogin(answer: answer, otp: passTwo.otp)
        }
    }

    /// The deadline of the final call. A server may delay the answer to one with an access number until the other side
    /// is signed in.
    func finalDeadline(of final: FinalCall, _ deadline: Deadline) -> Deadline {
        guard case .accessNumber = final, overallDeadline == nil else { return deadline }
        return Deadline(millisecondsFromNow: FinalCall.longestHold + options.timeoutMilliseconds)
    }

    /// Refuses an answer that is for another identity or from another server.
    ///
    /// A server that has a name must send both; for other servers, whatever they send is checked. If the registration
    /// has a pin, the answer's proof names the server.
    @inline(never)
    static func check(_ answer: AuthenticateResponse, for user: User) throws(MPinError) {
        let mismatch = MPinError(
            .responseParseError, "The answer is for another identity, or from another server.",
            pinChecked: Endpoint.authenticate.pinChecked(.understood))
        if let userID = answer.userID, userID != user.record.identity { throw mismatch }
        guard let expected = user.record.serverID else { return }
        guard answer.userID != nil else { throw mismatch }
        if user.isPinned { return }
        guard let serverID = answer.serverID, serverID.lowercased.digits == expected else { throw mismatch }
    }

    /// Stores what a failed login reveals: a block in the registration, everything else for the next prompt.
    private mutating func learn(from error: MPinError, _ pending: borrowing PendingAuthentication) {
        let user = pending.user
        note(error, of: user, in: pending.cache)
        if error.pinChecked != .no, pending.server.doubtSettings(after: error, isPinned: user.isPinned) {
            // This login is not repeated, but the next one reads the settings again.
            pending.cache.change { ($0.settings, $0.settingsDay) = (nil, nil) }
        }
        let isJudged = error.code == .incorrectPIN && error.pinChecked == .yes
        let isBlocked = error.isBlock
        if isJudged || error.attemptsLeft != nil {
            user.attemptsLeft = isBlocked ? 0 : error.attemptsLeft
            pending.cache.change { $0.attemptsLeft = user.attemptsLeft }
        }
        if isJudged, user.lastRefusal != nil {
            // The server accepts again what it had refused permanently.
            user.forgetRefusal()
            pending.cache.change { $0.forgetRefusal() }
        }
        pending.cache.write(to: store)
        guard isBlocked else { return }
        user.state = .blocked
        // A failure to store the block changes nothing: the server reports it again at the next try.
        if isListed(user) { do throws(MPinError) { try writeBlock(of: user) } catch {} }
    }

    /// Stores that a registration is blocked, unless another process has replaced the registration or its token.
    private mutating func writeBlock(of user: User) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            guard try client.reconcile(user) else { return }
            user.state = .blocked
            try client.stored { store throws(StoreError) in try RecordFile.write(user, to: store) }
        }
    }
}
