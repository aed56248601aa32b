// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The application that users log in to. It reports who has logged in.
struct Application: ServerComponent {
    let context: ServerContext
    let crossDevice: CrossDeviceLogin
    let webSessions: WebSessions
    let passwords: OneTimePasswords
    let cookie: SessionCookie
    let origin: SameOrigin

    var serverID: HexText { HexText(bytes: context.key.hash) }

    /// The answer to a login of a device for itself.
    ///
    /// - Parameters:
    ///   - password: the digits of a one-time password that is valid from now on.
    ///   - tellsPassword: whether the answer contains them. After two passes the device already has them.
    func answer(to login: VerifiedLogin, password: [UInt8]? = nil, tellsPassword: Bool = false) -> [UInt8] {
        let times = password.flatMap { issue($0, to: login) }
        audit.addOwn(login.event(.login(.device), at: clock.now), of: login.user)
        return AuthenticateResponse.encode(
            userID: login.user, serverID: serverID, message: "Authentication successful",
            otp: tellsPassword && times != nil ? password : nil, otpTimes: times,
            wrongSinceLastLogin: login.history.wrongBefore, attemptsLeft: login.history.left)
    }

    func revoke(_ mpinID: HexText, by login: VerifiedLogin) throws -> [UInt8] {
        let now = clock.now
        let revoked = try store.revokeRegistration(
            Hash.sha256(mpinID.bytes), user: login.user, now: now.seconds,
            event: { login.event(.revokedByOwner(device: $0), at: now) })
        guard revoked != nil else { throw Refusal(404, "No such registration of this user") }
        return AuthenticateResponse.encode(
            userID: login.user, serverID: serverID, revoked: true, message: "Revoked", attemptsLeft: login.history.left)
    }

    /// A registration that is neither revoked nor blocked.
    @discardableResult func good(_ hash: [UInt8], user: String, source: RequestSource) throws -> RegistrationEntry {
        guard let registration = try store.registration(hash), registration.revoked == nil else {
            audit.add(AuditEvent(.refused(.revoked), at: clock.now, user: user, source: source.text))
            throw Refusal(403, "Revoked")
        }
        guard registration.failures < configuration.maxInvalidLoginAttempts else {
            audit.add(AuditEvent(.refused(.blocked), at: clock.now, user: user, source: source.text))
            throw Refusal.wrongPIN(attemptsLeft: 0)
        }
        return registration
    }
}
