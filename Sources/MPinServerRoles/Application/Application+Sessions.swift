// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import MPinWire

extension Application {
    /// The user who is signed in with this browser, the device that signed in, and the time.
    func session(_ request: Request) throws -> UserAnswer {
        guard let token = cookie.token(in: request),
            let (user, registration, opened) = try webSessions.user(token, at: clock.monotonic())
        else { throw Refusal.notLoggedIn }
        guard let registration = try store.registration(registration), registration.revoked == nil else {
            _ = try webSessions.end(token, at: clock.monotonic())
            throw Refusal.notLoggedIn
        }
        return UserAnswer(userID: user, deviceName: registration.device, created: Int(opened.seconds))
    }

    /// Ends a session, for the device that opened it and names it, or for the browser that has its cookie.
    func logout(_ request: Request) throws -> Response {
        let named: LogoutRequest?
        do throws(WireError) { named = try LogoutRequest.decode(request.body.span) } catch {
            throw Refusal.badInput(error, status: 400)
        }
        let user: String
        var headers: [(name: String, value: String)] = []
        if let named {
            switch try webSessions.end(logout: named.sessionToken.bytes, user: named.userID, at: clock.monotonic()) {
            case .ended: user = named.userID
            case .anotherUsers: throw Refusal(400, "Another user's session")
            case .noSuchSession: throw Refusal.notLoggedIn
            }
        } else {
            guard origin.allowsChange(request) else { throw Refusal.otherOrigin }
            guard let token = cookie.token(in: request), let found = try webSessions.end(token, at: clock.monotonic())
            else { throw Refusal.notLoggedIn }
            user = found
            headers = [cookie.clearing(for: request)]
        }
        audit.addOwn(
            AuditEvent(.logout(fromDevice: nil), at: clock.now, user: user, source: request.source.text, actor: user),
            of: user)
        // The mobile web client of 2016 waits for an empty body.
        return .empty.adding(headers)
    }
}
