/// A one-time password that a login issued, and how long it lives by the server's clock.
///
/// Milagro: `OTP`
public struct OTP: Sendable {
    /// OK, or FLOW_ERROR when the application behind the server issues no one-time passwords.
    ///
    /// Milagro: `status`
    public let status: MPinStatus

    /// Six decimal digits; empty without one.
    ///
    /// Milagro: `otp`
    public let otp: String

    /// When it lapses, in seconds since 1970; 0 without one.
    ///
    /// Milagro: `expireTime`
    public let expireTime: Int

    /// How many seconds it lives from ``nowTime`` on; 0 without one.
    ///
    /// Milagro: `ttlSeconds`
    public let ttlSeconds: Int

    /// The server's time in seconds since 1970; 0 without one.
    ///
    /// Milagro: `nowTime`
    public let nowTime: Int

    /// A one-time password, for tests and previews of an application.
    ///
    /// - Parameters:
    ///   - status: OK, or FLOW_ERROR without a password.
    ///   - otp: six digits.
    ///   - expireTime: when it expires, in seconds since 1970.
    ///   - ttlSeconds: how long it is valid.
    ///   - nowTime: the server's time, in seconds since 1970.
    public init(status: MPinStatus, otp: String, expireTime: Int, ttlSeconds: Int, nowTime: Int) {
        self.status = status
        self.otp = otp
        self.expireTime = expireTime
        self.ttlSeconds = ttlSeconds
        self.nowTime = nowTime
    }
}
