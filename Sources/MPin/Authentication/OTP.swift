/// A one-time password that a login issued, and how long it lives by the server's clock.
public struct OTP: Sendable {
    /// OK, or FLOW_ERROR when the application behind the server issues no one-time passwords.
    public let status: MPinStatus

    /// Six decimal digits; empty without one.
    public let otp: String

    /// When it lapses, in seconds since 1970; 0 without one.
    public let expireTime: Int

    /// How many seconds it lives from ``nowTime`` on; 0 without one.
    public let ttlSeconds: Int

    /// The server's time in seconds since 1970; 0 without one.
    public let nowTime: Int

    public init(status: MPinStatus, otp: String, expireTime: Int, ttlSeconds: Int, nowTime: Int) {
        self.status = status
        self.otp = otp
        self.expireTime = expireTime
        self.ttlSeconds = ttlSeconds
        self.nowTime = nowTime
    }
}
