// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Decides how a login works, and makes sure that the settings are those of the server's day.
    ///
    /// - Returns: whether the device signs it.
    /// - Throws: RESPONSE_PARSE_ERROR for a registration with a key at a server that does not accept signed logins:
    ///   such a registration never uses the two passes.
    func prepareDirectLogin(
        of user: User, at server: Server, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) -> Bool {
        guard let key = user.key else { return false }
        try server.readDoubtfulSettings(until: deadline)
        if user.isPinned {
            // The settings decide nothing about this login, because an attacker can forge them. They only have to be those
            // of the server's day, and are cached when a proven answer comes.
            server.stayAtAddress()
            try server.update(for: SigningClock.day(cache.record.clockOffset), until: deadline)
            return true
        }
        if !server.takesDirectLogins(of: user), !key.isPending {
            // Cached settings may be older than the server's current features.
            try server.refresh(until: deadline)
            try requireSameServer(server, for: user, cache, deadline)
        }
        guard server.takesDirectLogins(of: user) else {
            if key.isPending { return false }
            throw MPinClient.notOffered
        }
        try keepSettings(of: server, for: SigningClock.day(cache.record.clockOffset), in: cache, deadline)
        cache.write(to: store)
        return true
    }

    private static var notOffered: MPinError {
        MPinError(.responseParseError, "The server's settings do not offer device-key logins.")
    }

    /// Logs in with one request that the device signs.
    ///
    /// If the server refuses the time, it reports its own, and the login is repeated once, with another x: two answers
    /// with the same x reveal the client secret.
    ///
    /// - Parameter earlier: the error of the two passes, which is thrown if the server does not know the device.
    @inline(never)
    mutating func proveDirectly(
        _ pending: borrowing PendingAuthentication, as user: User, _ key: RegistrationKey, pin: borrowing PIN,
        _ final: FinalCall, _ deadline: Deadline, after earlier: MPinError? = nil
    ) throws(MPinError) -> AcceptedLogin {
        let deadline = finalDeadline(of: final, deadline)
        // A machine that sleeps must not take a late answer for an early one.
        let start = mpin_boottime_seconds()
        var check: AnswerCheck?
        var answer: AuthenticateResponse
        do throws(MPinError) {
            do throws(MPinError) {
                answer = try sendSigned(pending, as: user, key, pin: pin, final, deadline, &check)
            } catch {
                guard let time = error.serverTime else { throw error }
                // An attacker can let the server judge the PIN, and send the same request again when its time is too
                // old. So a late answer is no reason to send the PIN again.
                if mpin_boottime_seconds() - start >= 59 { throw HTTPTransport.late }
                pending.cache.learnTime(time)
                answer = try sendSigned(pending, as: user, key, pin: pin, final, deadline, &check)
            }
        } catch {
            guard error.cause == .unknownDevice else { throw error }
            if !key.isPending, !user.isPinned {
                try requireSamePlace(pending.server, for: user, pending.cache, deadline)
            }
            throw earlier ?? error
        }
        try MPinClient.check(answer, for: pending.user)
        if key.isPending { confirmKey(of: user) }
        #if !hasFeature(Embedded)
        if let check, check.isProven, !user.isPinned { moveOver(user, key, to: check) }
        #endif
        return AcceptedLogin(answer: answer, otp: answer.text(.otp).flatMap { OneTimePasswordFormat.digits($0) })
    }

    /// Makes sure that outdated settings are not the only reason why a server does not know the device: it may have
    /// been set up again, or may take logins at another address now.
    private func requireSamePlace(
        _ server: Server, for user: User, _ cache: CachedLogin, _ deadline: Deadline
    ) throws(MPinError) {
        let before = server.settings.text(.directURL)
        guard !server.hasFreshSettings, server.readAgain(until: deadline) else { return }
        try requireSameServer(server, for: user, cache, deadline)
        guard server.settings.text(.directURL) != before else { return }
        try keepSettings(of: server, for: SigningClock.day(cache.record.clockOffset), in: cache, deadline)
        throw MPinError(.httpRequestError, "The server now takes logins at another address: log in again.")
    }

    /// Makes the request, with its own x.
    ///
    /// - Parameter check: receives whether the answer was proven.
    @inline(never)
    private func sendSigned(
        _ pending: borrowing PendingAuthentication, as user: User, _ key: RegistrationKey, pin: borrowing PIN,
        _ final: FinalCall, _ deadline: Deadline, _ check: inout AnswerCheck?
    ) throws(MPinError) -> AuthenticateResponse {
        let (mpinID, serverID) = (try user.requireMPinID(), try user.requireServerID())
        guard let purpose = final.purpose else {
            throw MPinError(.flowError, "This program does not support this login.")
        }
        let session = try pending.session(as: user, pin: pin, isDirect: true)
        let time = SigningClock.now(pending.cache.record.clockOffset)
        let login = DirectLogin(
            serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time.magnitude), u: session.u,
            purpose: purpose.word.bytes, argument: purpose.argument.bytes)
        let u = session.u
        let v: [UInt8]
        let digest: [UInt8]
        do throws(CryptoError) {
            v = try session.answer(challenge: login.challenge())
            digest = try login.digest(v: v)
        } catch { throw MPinError(error) }
        let signature = try key.sign(digest, tpm: options.tpmDevice, until: deadline)
        let message = DirectLoginRequest(
            mpinID: mpinID, u: u, v: v, time: time, purpose: purpose, signature: signature)
        let request = try MPinClient.signedRequest(digest, signature)
        check = user.check(.login, of: request)
        #if !hasFeature(Embedded)
        if check == nil { check = checkForPin(of: user, pending, request) }
        #endif
        defer {
            if check?.isProven ?? false { keepSettings(of: pending.server, in: pending.cache) }
        }
        return try pending.server.logInDirectly(message, check, until: deadline)
    }
}
