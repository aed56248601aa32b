/// How long a one-time password lives.
package struct OneTimePasswordTimes: Sendable, Equatable {
    /// Milliseconds since 1970 at which it lapses.
    package let expireMilliseconds: Int
    /// Seconds it lives.
    package let ttlSeconds: Int
    /// The server's clock in milliseconds since 1970.
    package let nowMilliseconds: Int

    package init(expireMilliseconds: Int, ttlSeconds: Int, nowMilliseconds: Int) {
        self.expireMilliseconds = expireMilliseconds
        self.ttlSeconds = ttlSeconds
        self.nowMilliseconds = nowMilliseconds
    }

    /// The times in an application's answer; nil unless all three are above 0.
    init?(_ object: JSONObject, in body: Span<UInt8>) {
        guard let expire = object.displayInteger(.expireTime, in: body), expire > 0,
            let ttl = object.displayInteger(.ttlSeconds, in: body), ttl > 0,
            let now = object.displayInteger(.nowTime, in: body), now > 0
        else { return nil }
        self.init(expireMilliseconds: expire, ttlSeconds: ttl, nowMilliseconds: now)
    }
}
