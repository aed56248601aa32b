// SPDX-License-Identifier: Apache-2.0

/// A one-time password that a login issued, and its lifetime by the server's clock.
///
/// Milagro: `OTP`
public struct OTP: Sendable {
    /// OK, or FLOW_ERROR if the application behind the server issues no one-time passwords.
    ///
    /// Milagro: `status`
    public let status: MPinStatus

    /// Six decimal digits; empty if no password was issued.
    ///
    /// Milagro: `otp`
    public let otp: String

    /// When the password expires, in seconds since 1970 (UTC); 0 if no password was issued.
    ///
    /// Milagro: `expireTime`
    public let expireTime: Int

    /// How long the password is valid from ``nowTime`` on, in seconds; 0 if no password was issued.
    ///
    /// Milagro: `ttlSeconds`
    public let ttlSeconds: Int

    /// The server's time, in seconds since 1970 (UTC); 0 if no password was issued.
    ///
    /// Milagro: `nowTime`
    public let nowTime: Int

    /// Creates a one-time password, for tests and previews of an application.
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
