internal import MPinCrypto
internal import MPinWire

/// Logins on a device for a session elsewhere.
extension Application {
    /// The device's side: approves the session with a verified login, and waits until the session has redeemed it.
    ///
    /// A login that was not for a session, or came too late for it, is used up all the same. A wrong PIN is reported as
    /// one, whatever the number: it was counted.
    func authenticateNumber(_ message: AuthenticateRequest, source: RequestSource) throws -> RouteResult {
        let now = clock.monotonic()
        guard let login = results.take(message.authOTT.bytes, at: now) else { throw Refusal.noSuchNumber }
        let user = try verified(login, source: source)
        guard case .session(let known) = login.purpose, let session = known else { throw Refusal.noSuchNumber }
        let handle = try Random.bytes(OneTimeToken.size)
        let sessions = crossDevice.sessions
        let patience = Duration.seconds(configuration.holdSeconds)
        let deferred = DeferredResponse(patience: patience) { sessions.withdraw(handle) }
        let approval = Approval(
            user: user, wrongBefore: login.verdict.wrongBefore, hash: login.hash, handle: handle, source: source,
            deadline: now + patience, deferred: deferred)
        guard sessions.approve(session, approval, at: now) else {
            crossDevice.chargeInvalidCode(source)
            throw Refusal.noSuchNumber
        }
        audit.add(AuditEvent(.approved, at: clock.now, user: user, source: source.text, actor: user))
        return .later(deferred)
    }

    /// The waiting side: redeems the login. A browser gets a session; a host that the server knows keeps its own.
    func redeemApproval(_ handle: [UInt8], _ request: Request) throws -> Response {
        // CSRF: a page of another origin could log its visitors in as a user of the attacker's choice.
        guard origin.allows(request) else { throw Refusal.otherOrigin }
        guard let (approval, requester) = crossDevice.sessions.redeem(handle, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        do {
            try demandGood(approval.hash, user: approval.user, source: approval.source)
            var headers: [(name: String, value: String)] = []
            var logout: (url: String, data: [UInt8])?
            if !requester.isVerified {
                // The browser forgets the session it had, and could not end it any more.
                if let old = cookie.token(in: request) { _ = try webSessions.end(old, at: clock.monotonic()) }
                let (token, logoutToken) = try webSessions.open(
                    user: approval.user, registration: approval.hash, at: clock.monotonic())
                headers = [cookie.setting(token)]
                // Clients of 2016 put the address of the server before it, whatever it is.
                let end = LogoutRequest(sessionToken: HexText(bytes: logoutToken), userID: approval.user)
                logout = (ServerEndpoint.logout.path, end.encode())
            }
            let detail = "approved from \(approval.source.text)" + (requester.host.map { " for \($0)" } ?? "")
            audit.add(
                AuditEvent(
                    .login, at: clock.now, user: approval.user, source: request.source.text, actor: approval.user,
                    detail: detail))
            approval.deferred.complete(
                .json(
                    AuthenticateResponse.encode(
                        userID: approval.user, serverID: serverID, logoutURL: logout?.url,
                        logoutData: logout?.data, wrongSinceLastLogin: approval.wrongBefore)))
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
