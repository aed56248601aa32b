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
    /// An authorisation code of the hosted platform.
    package var code: String?
    /// The JSON text of the whole answer, `{}` for an empty one.
    package private(set) var raw: [UInt8] = Array("{}".utf8)
    /// Whether there was a body at all.
    package private(set) var wasEmpty = false

    package init(
        userID: String? = nil, serverID: HexText? = nil, revoked: Bool? = nil, message: String? = nil,
        logoutURL: String? = nil, logoutData: [UInt8]? = nil, otpTimes: OneTimePasswordTimes? = nil
    ) {
        self.userID = userID
        self.serverID = serverID
        self.revoked = revoked
        self.message = message
        self.logoutURL = logoutURL
        self.logoutData = logoutData
        self.otpTimes = otpTimes
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
        writer.add(.code, ifPresent: code)
        return writer.finish()
    }

    /// Reads an application's answer. An empty body stands for an empty object, and ``wasEmpty`` tells so.
    ///
    /// An identity or a server's name of another form is an error, null included: they decide whether the login counts.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> AuthenticateResponse {
        let object = try JSONObject(body, allowsEmpty: true)
        var response = AuthenticateResponse()
        if object.contains(.userID, in: body) {
            guard object.optional(.userID, in: body) != nil else { throw .invalid(.userID) }
            response.userID = try object.text(.userID, in: body)
        }
        if object.contains(.serverID, in: body) {
            guard object.optional(.serverID, in: body) != nil else { throw .invalid(.serverID) }
            response.serverID = try object.hexText(.serverID, count: 1...64, in: body)
        }
        response.revoked = try object.optionalFlag(.revoked, in: body)
        response.message = object.displayText(.message, in: body)
        response.logoutURL = object.displayText(.logoutURL, in: body).flatMap { $0.utf8.isEmpty ? nil : $0 }
        if object.optional(.logoutData, in: body)?.kind == .object {
            response.logoutData = object.raw(.logoutData, in: body)
        }
        response.otpTimes = OneTimePasswordTimes(object, in: body)
        response.code = object.displayText(.code, in: body)
        response.wasEmpty = JSONObject.isBlank(body)
        if !response.wasEmpty { response.raw = body.indices.map { body[$0] } }
        return response
    }
}
