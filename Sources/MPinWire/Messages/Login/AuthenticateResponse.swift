/// A login that succeeded, as the application answers.
///
/// The protocol of 2016 leaves this body to the application. What is read here is what our server says; each member is
/// judged where it is there.
package struct AuthenticateResponse: Sendable {
    /// The identity that logged in.
    package var userID: String?
    /// The lasting name of the server.
    package var serverID: HexText?
    /// Whether a registration was revoked as asked.
    package var revoked: Bool?
    package var message: String?
    /// Where to log out, after a login by access number; nil when missing or empty.
    package var logoutURL: String?
    /// The body of that logout: JSON text of an object; nil when missing or anything else.
    package var logoutData: [UInt8]?
    /// The times of a one-time password; nil without one.
    package var otpTimes: OneTimePasswordTimes?
    /// How many wrong PINs there were since this registration last logged in; nil from servers that do not say.
    package var wrongSinceLastLogin: Int?
    /// An authorisation code of the hosted platform.
    package var code: String?
    /// The JSON text of the whole answer, `{}` for an empty one.
    package private(set) var raw: [UInt8] = Array("{}".utf8)
    /// Whether there was a body at all.
    package private(set) var wasEmpty = false

    package init(
        userID: String? = nil, serverID: HexText? = nil, revoked: Bool? = nil, message: String? = nil,
        logoutURL: String? = nil, logoutData: [UInt8]? = nil, otpTimes: OneTimePasswordTimes? = nil,
        wrongSinceLastLogin: Int? = nil
    ) {
        self.userID = userID
        self.serverID = serverID
        self.revoked = revoked
        self.message = message
        self.logoutURL = logoutURL
        self.logoutData = logoutData
        self.otpTimes = otpTimes
        self.wrongSinceLastLogin = wrongSinceLastLogin
    }

    /// The body a server answers with.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, 200)
        writer.add(.message, message ?? "Authentication successful")
        writer.add(.userID, ifPresent: userID)
        if let serverID { writer.add(.serverID, serverID) }
        if let revoked { writer.add(.revoked, revoked) }
        writer.add(.logoutURL, ifPresent: logoutURL)
        if let logoutData { writer.add(.logoutData, json: logoutData) }
        if let otpTimes {
            writer.add(.expireTime, otpTimes.expireMilliseconds)
            writer.add(.ttlSeconds, otpTimes.ttlSeconds)
            writer.add(.nowTime, otpTimes.nowMilliseconds)
        }
        if let wrongSinceLastLogin { writer.add(.wrongSinceLastLogin, wrongSinceLastLogin) }
        writer.add(.code, ifPresent: code)
        return writer.finish()
    }

    /// Reads an application's answer; see ``LoginAnswer``.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> AuthenticateResponse {
        let answer = try LoginAnswer(body)
        var response = AuthenticateResponse()
        response.userID = answer.userID?.string
        response.serverID = answer.serverID
        response.revoked = answer.revoked
        response.message = answer.text(.message)?.string
        response.logoutURL = answer.logoutURL?.string
        response.logoutData = answer.logoutData
        response.otpTimes = answer.otpTimes
        response.wrongSinceLastLogin = answer.wrongSinceLastLogin
        response.code = answer.text(.code)?.string
        response.wasEmpty = answer.isEmpty
        response.raw = answer.raw.bytes
        return response
    }
}
