// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
internal import MPinWire

/// One-time passwords: a device gets one with its login, and its user types it elsewhere.
extension Application {
    /// Makes the digits of a verified login valid.
    ///
    /// - Returns: for how long; nil if there are too many passwords.
    func issue(_ digits: [UInt8], to login: VerifiedLogin) -> OneTimePasswordTimes? {
        let isAdded = passwords.add(digits, user: login.user, registration: login.registration, at: clock.monotonic())
        guard isAdded else { return nil }
        let now = clock.now
        let seconds = configuration.passwordSeconds
        audit.addOwn(login.event(.passwordIssued, at: now), of: login.user)
        return OneTimePasswordTimes(
            expireMilliseconds: Int(now.adding(seconds: Int64(seconds)).milliseconds), ttlSeconds: seconds,
            nowMilliseconds: Int(now.milliseconds))
    }

    /// Consumes a one-time password. The answer does not show why one is refused.
    func redeem(_ message: OneTimePasswordRequest, _ request: Request) throws -> UserAnswer {
        let (user, source) = (message.userID, request.source)
        let guesser = try guesser(of: message, request)
        try demand(limits.passwords, guesser)
        guard let registration = passwords.redeem(message.password, user: user, source: guesser, at: clock.monotonic())
        else {
            audit.note(.refused(.oneTimePassword), user: UserName.isValid(user) ? user : nil, source: source)
            if limits.passwords.charge(guesser, at: clock.monotonic()) {
                audit.note(.rateLimited(guessed: .oneTimePassword), user: nil, source: source)
            }
            throw Refusal(401, "Wrong or expired one-time password")
        }
        do { try good(registration, user: user, source: source) } catch is Refusal {
            throw Refusal(401, "Wrong or expired one-time password")
        }
        audit.addOwn(
            AuditEvent(.login(.oneTimePassword), at: clock.now, user: user, source: source.text, actor: user), of: user)
        return UserAnswer(userID: user)
    }

    /// The source to which a wrong password is charged: the source of the request, or the user if a known host asks.
    /// All users of a gateway come from one source, and one of them must not use up the tries of the others.
    private func guesser(of message: OneTimePasswordRequest, _ request: Request) throws -> RequestSource {
        guard let host = try crossDevice.host(request), UserName.isValid(message.userID) else { return request.source }
        return .password(host: host, user: message.userID)
    }
}
