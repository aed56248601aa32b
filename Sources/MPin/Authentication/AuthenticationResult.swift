// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The server's answer to a login that it accepted.
public struct AuthenticationResult: Sendable {
    let login: AcceptedLogin

    /// The application's answer, as the text of a JSON object.
    public var data: String { login.answer.raw.string }

    /// The identity that logged in, if the server names it. It is always the user's own identity.
    public var userID: String? { login.answer.userID?.string }
}

/// The server's answer to a login that it accepted.
///
/// It is a class because it is passed on and expensive to copy.
final class AcceptedLogin: Sendable {
    let answer: AuthenticateResponse
    /// Six digits if a one-time password was requested and issued.
    let otp: [UInt8]?

    init(answer: AuthenticateResponse, otp: [UInt8]?) {
        self.answer = answer
        self.otp = otp
    }

    /// The error for an answer that is for another identity.
    static var mismatch: MPinError {
        MPinError(
            .responseParseError, "The answer is for another identity.",
            pinChecked: Endpoint.authenticate.pinChecked(.understood))
    }
}

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
        (self.status, self.otp, self.expireTime, self.ttlSeconds) = (status, otp, expireTime, ttlSeconds)
        self.nowTime = nowTime
    }
}
