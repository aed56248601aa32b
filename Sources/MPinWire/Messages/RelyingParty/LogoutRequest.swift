// SPDX-License-Identifier: Apache-2.0

/// Ends a session from the device that opened it. The device receives these data with its login and sends them back
/// unchanged.
package struct LogoutRequest: Sendable, Equatable {
    /// Identifies the session for the device; it is not the browser's session cookie.
    package let sessionToken: HexText
    package let userID: String

    package init(sessionToken: HexText, userID: String) {
        self.sessionToken = sessionToken
        self.userID = userID
    }

    /// The object that a server sends to a device, and a device sends back.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.sessionToken, sessionToken)
        writer.add(.userID, userID)
        return writer.finish()
    }

    /// Reads a device's body; nil if it names no session. A browser's request does not, because it has a cookie.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> LogoutRequest? {
        let object = try JSONObject(request: body, allowsEmpty: true)
        guard object.contains(.sessionToken, in: body) || object.contains(.userID, in: body) else { return nil }
        return LogoutRequest(
            sessionToken: try object.hexText(.sessionToken, count: OneTimeToken.sizes, in: body),
            userID: try object.text(.userID, in: body))
    }
}
