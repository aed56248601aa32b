internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Logs in as the pending user, or as the same registration with a token that has to prove itself.
    mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, final: FinalCall
    ) throws(MPinError) -> AcceptedLogin {
        guard user.state == .registered else { throw user.wrongState }
        guard !pin.isEmpty else { throw MPinError(.pinInputCanceled, "No PIN was given.") }
        if let length = user.pinLength, !pin.isDigits(count: length...length) {
            // It cannot be right, so no attempt is spent on it.
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
        // Of a new PIN that proves itself there is nothing to tell: the old one has just logged in.
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
        return login
    }

    /// Proves the PIN by what the registration has: the device's signature, or the two passes.
    ///
    /// A registration with a key never goes the old way, whatever the settings say. One whose key the server has yet to be
    /// given is tried signed first, because this machine need not have heard that it was given.
    private mutating func prove(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, _ final: FinalCall
    ) throws(MPinError) -> AcceptedLogin {
        let deadline = deadline()
        if let key = user.key {
            if pending.isDirect {
                do throws(MPinError) {
                    return try proveDirectly(pending, as: user, key, pin: pin, final, deadline)
                } catch {
                    // A good signature is looked at before any limit by source: both mean that it was none. Only wrong
                    // access numbers are limited behind it.
                    let isLimited = error.httpStatus == 429 && final.session == nil
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
            // Where another login has given the server the key meanwhile: signed, with an x of its own; once, and never
            // back.
            if let key = keyBoundMeanwhile(error, pending, deadline) {
                user.key = key
                return try proveDirectly(pending, as: user, key, pin: pin, final, deadline, after: error)
            }
            guard renewPermit(after: error, pending, deadline) else { throw error }
            return try provePassing(pending, as: user, pin: pin, final, deadline)
        }
    }

    /// A login that was started for the other kind of registration.
    private static var otherKey: MPinError {
        MPinError(.flowError, "Another process has changed this registration: start the login again.")
    }

    /// Pass 1, pass 2 and the final call.
    ///
    /// Servers that do not name a pass 1 keep one per registration: of two logins at once, the earlier one would count
    /// as a wrong PIN. With them, and only with them, the logins of an account take turns, as far as that costs no more
    /// than a second: a stopped process must not keep others out.
    @inline(never)
    private mutating func provePassing(
        _ pending: borrowing PendingAuthentication, as user: User, pin: borrowing PIN, _ final: FinalCall,
        _ deadline: Deadline
    ) throws(MPinError) -> AcceptedLogin {
        let server = pending.server
        let url = try server.finalURL(final, until: deadline)
        let turn = server.settings.offers("passId") ? nil : store.turn(until: deadline)
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

    /// When the final call must be over: a server may keep one with an access number waiting for the other side.
    func finalDeadline(of final: FinalCall, _ deadline: Deadline) -> Deadline {
        guard case .accessNumber = final, overallDeadline == nil else { return deadline }
        return Deadline(millisecondsFromNow: FinalCall.longestHold + options.timeoutMilliseconds)
    }

    /// Refuses an answer for another identity or from another server than those of the registration.
    ///
    /// A server with a name of its own must say both; others are checked for what they say.
    @inline(never)
    static func check(_ answer: AuthenticateResponse, for user: User) throws(MPinError) {
        let mismatch = MPinError(
            .responseParseError, "The answer is for another identity, or from another server.",
            pinChecked: Endpoint.authenticate.pinChecked(.understood))
        if let userID = answer.userID, userID != user.record.identity { throw mismatch }
        guard let expected = user.record.serverID else { return }
        guard answer.userID != nil, let serverID = answer.serverID,
            serverID.lowercased.digits == expected
        else { throw mismatch }
    }

    /// Stores what a failed login tells: a block in the registration, the rest for the next prompt.
    private mutating func learn(from error: MPinError, _ pending: borrowing PendingAuthentication) {
        let user = pending.user
        note(error, of: user, in: pending.cache)
        if error.pinChecked != .no, pending.server.doubtSettings(after: error) {
            // It is not repeated, but the next login asks where to go.
            pending.cache.change { ($0.settings, $0.settingsDay) = (nil, nil) }
        }
        let isJudged = error.code == .incorrectPIN && error.pinChecked == .yes
        let isBlocked = isJudged && (error.httpStatus == 410 || error.attemptsLeft == 0)
        if isJudged || error.attemptsLeft != nil {
            user.attemptsLeft = isBlocked ? 0 : error.attemptsLeft
            pending.cache.change { $0.attemptsLeft = user.attemptsLeft }
        }
        if isJudged, user.lastRefusal != nil {
            // What it had refused for good it takes again.
            user.forgetRefusal()
            pending.cache.change { $0.forgetRefusal() }
        }
        pending.cache.write(to: store)
        guard isBlocked else { return }
        user.state = .blocked
        // Failing to write it down changes nothing: the server says it again at the next try.
        if isListed(user) { do throws(MPinError) { try writeBlock(of: user) } catch {} }
    }

    /// Writes down that a registration is blocked, unless another process has put another one or token in its place.
    private mutating func writeBlock(of user: User) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            guard try client.reconcile(user) else { return }
            user.state = .blocked
            try client.stored { store throws(StoreError) in try RecordFile.write(user, to: store) }
        }
    }
}
