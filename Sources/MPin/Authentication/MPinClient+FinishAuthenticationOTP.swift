// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// Logs in and has the server issue a one-time password, to be typed elsewhere.
    ///
    /// Times arrive in milliseconds and are returned in seconds.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the one-time password. Its ``OTP/status`` is FLOW_ERROR if the login succeeded but the server issued
    ///   no password. As in Milagro's SDK, that is a status in the result: a thrown error would mean that the login
    ///   failed.
    /// - Throws: as ``finishAuthentication(_:pin:)``. A failed login returns no one-time password, even if the server
    ///   sent one.
    ///
    /// Milagro: `FinishAuthenticationOTP`
    public mutating func finishAuthenticationOTP(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> OTP {
        try requireHere(pending.user)
        let login = try finishAuthentication(pending, as: pending.user, pin: pin, final: .oneTimePassword)
        guard let otp = login.otp, let times = login.answer.otpTimes else {
            return OTP(status: .flowError, otp: "", expireTime: 0, ttlSeconds: 0, nowTime: 0)
        }
        return OTP(
            status: .ok, otp: ByteText(otp).string, expireTime: times.expireMilliseconds / 1000,
            ttlSeconds: times.ttlSeconds, nowTime: times.nowMilliseconds / 1000)
    }

    /// Logs in at a platform that gives the application a code, which the application's back end redeems.
    package mutating func authorizationCode(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> ByteText {
        try requireHere(pending.user)
        let answer = try finishAuthentication(pending, as: pending.user, pin: pin, final: .authenticate).answer
        guard let code = answer.text(.code), !code.isEmpty else {
            throw MPinError(
                .responseParseError, "The server returned no authorization code.",
                pinChecked: Endpoint.authenticate.pinChecked(.understood))
        }
        return code
    }
}
