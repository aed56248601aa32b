// SPDX-License-Identifier: Apache-2.0
extension AuthenticateResponse {
    /// The body of a server's answer.
    ///
    /// - Parameters:
    ///   - logoutData: the body of a logout: JSON text of an object.
    ///   - otp: the digits of a one-time password, in the answer to a direct login.
    package static func encode(
        userID: String? = nil, serverID: HexText? = nil, revoked: Bool? = nil, message: String? = nil,
        logoutURL: String? = nil, logoutData: [UInt8]? = nil, otp: [UInt8]? = nil,
        otpTimes: OneTimePasswordTimes? = nil,
        wrongSinceLastLogin: Int? = nil, attemptsLeft: Int? = nil, code: String? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, 200)
        writer.add(.message, message ?? "Authentication successful")
        writer.add(.userID, ifPresent: userID)
        if let serverID { writer.add(.serverID, serverID) }
        if let revoked { writer.add(.revoked, revoked) }
        writer.add(.logoutURL, ifPresent: logoutURL)
        if let logoutData { writer.add(.logoutData, json: logoutData) }
        if let otp { writer.add(.otp, ByteText(otp)) }
        if let otpTimes {
            writer.add(.expireTime, otpTimes.expireMilliseconds)
            writer.add(.ttlSeconds, otpTimes.ttlSeconds)
            writer.add(.nowTime, otpTimes.nowMilliseconds)
        }
        if let wrongSinceLastLogin { writer.add(.wrongSinceLastLogin, wrongSinceLastLogin) }
        if let attemptsLeft { writer.add(.attemptsLeft, attemptsLeft) }
        writer.add(.code, ifPresent: code)
        return writer.finish()
    }
}
