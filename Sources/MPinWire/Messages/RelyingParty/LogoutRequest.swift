/// Ends a session from the device that opened it. The data a device gets with its login, and sends back as it is.
package struct LogoutRequest: Sendable, Equatable {
    /// Names the session to the device; not what the browser holds.
    package let sessionToken: HexText
    package let userID: String

    package init(sessionToken: HexText, userID: String) {
        self.sessionToken = sessionToken
        self.userID = userID
    }

    /// The object a server gives and a device sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.sessionToken, sessionToken)
        writer.add(.userID, userID)
        return writer.finish()
    }

    /// Reads what a device sent; nil when it names no session, as a browser's does not, which has a cookie.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> LogoutRequest? {
        let object = try JSONObject(request: body, allowsEmpty: true)
        guard object.contains(.sessionToken, in: body) || object.contains(.userID, in: body) else { return nil }
        return LogoutRequest(
            sessionToken: try object.hexText(.sessionToken, count: OneTimeToken.sizes, in: body),
            userID: try object.text(.userID, in: body))
    }
}
