internal import MPinCrypto
internal import MPinWire

/// Logins on a device for a session that waits elsewhere.
extension Application {
    /// The device's side: brings a verified login to the waiting session, and waits until that has taken it up.
    ///
    /// A login that was not for a session, or came too late for it, is of no use here and used up all the same. A wrong PIN
    /// is told as one, whatever the number: it was counted.
    func authenticateNumber(_ request: AuthenticateRequest, source: Source) throws -> Outcome {
        let now = clock.monotonic()
        guard let login = results.take(request.authOTT.bytes, at: now) else { throw Refusal.noSuchNumber }
        let user = try verified(login, source: source)
        guard case .session(let known) = login.purpose, let session = known else { throw Refusal.noSuchNumber }
        let handle = try Random.bytes(OneTimeToken.size)
        let sessions = waitingRoom.sessions
        let seconds = configuration.holdSeconds
        let hold = Hold(seconds: seconds) { sessions.withdraw(handle) }
        let approval = Approval(
            user: user, wrongBefore: login.verdict.wrongBefore, hash: login.hash, handle: handle, source: source,
            deadline: now + Int64(seconds) * 1_000_000_000, hold: hold)
        guard sessions.approve(session, approval, at: now) else {
            waitingRoom.chargeGuess(source)
            throw Refusal.noSuchNumber
        }
        audit.add(AuditEvent(.approved, at: clock.now, user: user, source: source.text, actor: user))
        return .later(hold)
    }

    /// The waiting side: takes the login up. A browser gets a session; a host that the server knows keeps its own.
    func enter(_ handle: [UInt8], _ question: Request) throws -> Response {
        // A page of others would log its visitors in as somebody of its choice.
        guard origin.allows(question) else { throw Refusal.otherOrigin }
        guard let (approval, requester) = waitingRoom.sessions.redeem(handle, at: clock.monotonic()) else {
            throw Refusal(408, "Expired authentication request")
        }
        do {
            try demandGood(approval.hash, user: approval.user, source: approval.source)
            var headers: [(name: String, value: String)] = []
            var logout: (url: String, data: [UInt8])?
            if !requester.isVerified {
                // The browser forgets the session it had, and could not end it any more.
                if let old = cookie.token(in: question) { _ = try webSessions.end(old, at: clock.monotonic()) }
                let (token, logoutToken) = try webSessions.open(
                    user: approval.user, registration: approval.hash, at: clock.monotonic())
                headers = [cookie.setting(token)]
                // Clients of 2016 put the address of the server before it, whatever it is.
                let end = LogoutRequest(sessionToken: HexText(bytes: logoutToken), userID: approval.user)
                logout = ("/logout", end.encode())
            }
            let detail = "approved from \(approval.source.text)" + (requester.host.map { " for \($0)" } ?? "")
            audit.add(
                AuditEvent(
                    .login, at: clock.now, user: approval.user, source: question.source.text, actor: approval.user,
                    detail: detail))
            approval.hold.settle(
                .json(
                    AuthenticateResponse.encode(
                        userID: approval.user, serverID: HexText(bytes: serverID), logoutURL: logout?.url,
                        logoutData: logout?.data, wrongSinceLastLogin: approval.wrongBefore)))
            let answer = AuthenticateResponse.encode(userID: approval.user, serverID: HexText(bytes: serverID))
            return .json(answer, headers: headers)
        } catch let refusal as Refusal {
            approval.hold.settle(.refusal(refusal))
            throw refusal
        } catch {
            approval.hold.settle(.refusal(.failure))
            throw error
        }
    }
}
