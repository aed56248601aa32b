// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// Logins on a device for a session elsewhere.
extension Application {
    /// Approves a session with a verified login, and waits until the session has redeemed it.
    ///
    /// - Parameter session: nil if the code was invalid.
    func approve(_ session: Int?, by login: VerifiedLogin, late: Refusal = .timedOut) throws -> RouteResult {
        guard let session else { throw Refusal.noSuchNumber }
        let now = clock.monotonic()
        let handle = try Random.bytes(OneTimeToken.size)
        let sessions = crossDevice.sessions
        let patience = Duration.seconds(configuration.holdSeconds)
        let deferred = DeferredResponse(patience: patience, late: late) { sessions.withdraw(handle) }
        let approval = Approval(
            user: login.user, history: login.history, hash: login.registration, handle: handle,
            source: login.source, deadline: now + patience, deferred: deferred)
        guard sessions.approve(session, approval, at: now) else {
            crossDevice.chargeInvalidCode(login.guesser)
            throw Refusal.noSuchNumber
        }
        audit.addOwn(login.event(.approved, at: clock.now), of: login.user)
        return .later(deferred)
    }

    /// The waiting side: redeems the login. A browser gets a session; a known host has a session of its own.
    func redeemApproval(_ handle: [UInt8], _ request: Request) throws -> Response {
        // CSRF: a page of another origin could log its visitors in as a user of the attacker's choice.
        guard origin.allows(request) else { throw Refusal.otherOrigin }
        guard let (approval, requester) = crossDevice.sessions.redeem(handle, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        do {
            try good(approval.hash, user: approval.user, source: approval.source)
            var headers: [(name: String, value: String)] = []
            var logout: (url: String, data: [UInt8])?
            if !requester.isVerified {
                // The browser forgets its old session, and could not end it later.
                if let old = cookie.token(in: request) { _ = try webSessions.end(old, at: clock.monotonic()) }
                let (token, logoutToken) = try webSessions.open(
                    user: approval.user, registration: approval.hash, at: clock.monotonic(), opened: clock.now)
                headers = [cookie.setting(token, for: request)]
                // Clients of 2016 always prepend the server's address.
                let end = LogoutRequest(sessionToken: HexText(bytes: logoutToken), userID: approval.user)
                logout = (ServerEndpoint.logout.path, end.encode())
            }
            audit.addOwn(
                AuditEvent(
                    .login(.approval(source: approval.source.text, host: requester.host)), at: clock.now,
                    user: approval.user, source: request.source.text, actor: approval.user), of: approval.user)
            approval.deferred.complete(
                .json(
                    AuthenticateResponse.encode(
                        userID: approval.user, serverID: serverID, logoutURL: logout?.url, logoutData: logout?.data,
                        wrongSinceLastLogin: approval.history.wrongBefore, attemptsLeft: approval.history.left)))
            let answer = AuthenticateResponse.encode(userID: approval.user, serverID: serverID)
            return .json(answer, headers: headers)
        } catch let refusal as Refusal {
            approval.deferred.complete(.refusal(refusal))
            throw refusal
        } catch {
            approval.deferred.complete(.refusal(.failure))
            throw error
        }
    }
}
