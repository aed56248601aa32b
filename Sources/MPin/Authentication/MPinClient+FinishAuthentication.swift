// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Logs in with a PIN.
    ///
    /// Success means that the server verified token and PIN together, that its last answer was 200 with a valid body,
    /// and that this answer named no other identity. If the registration has a device key, its server's key has signed
    /// this answer.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: INCORRECT_PIN for a wrong PIN; after the last try the user is BLOCKED. Without a request:
    ///   PIN_INPUT_CANCELED for an empty PIN, INCORRECT_PIN for a PIN with the wrong number of digits.
    ///
    /// Milagro: `FinishAuthentication`
    @inline(never)
    @discardableResult
    public mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> AuthenticationResult {
        try requireHere(pending.user)
        return AuthenticationResult(login: try logIn(pending, as: pending.user, pin: pin, .login))
    }

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
        let login = try logIn(pending, as: pending.user, pin: pin, .oneTimePassword)
        guard let otp = login.otp, let times = login.answer.otpTimes else {
            return OTP(status: .flowError, otp: "", expireTime: 0, ttlSeconds: 0, nowTime: 0)
        }
        return OTP(
            status: .ok, otp: ByteText(otp).string, expireTime: times.expireMilliseconds / 1000,
            ttlSeconds: times.ttlSeconds, nowTime: times.nowMilliseconds / 1000)
    }

    /// Logs in at a platform that gives the application a code, which the application's back end redeems.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the authorization code.
    /// - Throws: as ``finishAuthentication(_:pin:)``, and RESPONSE_PARSE_ERROR if the answer has no code.
    ///
    /// Milagro: `FinishAuthenticationMFA`
    public mutating func finishAuthenticationMFA(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> String {
        try requireHere(pending.user)
        let answer = try logIn(pending, as: pending.user, pin: pin, .login).answer
        guard let code = answer.text(.code), !code.isEmpty else {
            throw MPinError(
                .responseParseError, "The server returned no authorization code.",
                pinChecked: Endpoint.authenticate.pinChecked(.understood))
        }
        return code.string
    }
}
