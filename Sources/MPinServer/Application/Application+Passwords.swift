internal import MPinWire

/// One-time passwords: a device gets one with its login, and its user types it elsewhere.
extension Application {
    /// Makes the digits of a verified login good.
    ///
    /// - Returns: how long; nil when there are too many.
    func issue(_ digits: [UInt8], to login: VerifiedLogin) -> OneTimePasswordTimes? {
        let isAdded = passwords.add(
            digits, user: login.user, registration: login.registration, at: clock.monotonic())
        guard isAdded else { return nil }
        let now = clock.now
        let seconds = configuration.passwordSeconds
        audit.add(login.event(.passwordIssued, at: now))
        return OneTimePasswordTimes(
            expireMilliseconds: Int(now.adding(seconds: Int64(seconds)).milliseconds), ttlSeconds: seconds,
            nowMilliseconds: Int(now.milliseconds))
    }

    /// Uses a one-time password up. Nothing tells why one is refused.
    func redeem(_ request: OneTimePasswordRequest, source: RequestSource) throws -> UserAnswer {
        let now = clock.monotonic()
        try demand(limits.passwords, source)
        guard let registration = passwords.redeem(request.password, user: request.userID, source: source, at: now)
        else {
            audit.note(
                .refused, at: clock.now, user: UserName.isValid(request.userID) ? request.userID : nil, source: source,
                detail: "one-time password")
            charge(limits.passwords, source, detail: "one-time passwords")
            throw Refusal(401, "Wrong or expired one-time password")
        }
        do {
            try good(registration, user: request.userID, source: source)
        } catch is Refusal {
            throw Refusal(401, "Wrong or expired one-time password")
        }
        audit.add(
            AuditEvent(
                .login, at: clock.now, user: request.userID, source: source.text, actor: request.userID,
                detail: "one-time password"))
        return UserAnswer(userID: request.userID)
    }
}
