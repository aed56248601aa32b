// SPDX-License-Identifier: Apache-2.0

/// Details of the session behind a session code; empty texts if the server does not provide them.
package struct SessionDetailsResponse: Sendable {
    package let prerollID: String
    package let appName: String
    package let appLogoURL: String
    /// Who requests the login; an extension.
    package let requester: SessionRequester?

    package init(
        prerollID: String = "", appName: String = "", appLogoURL: String = "", requester: SessionRequester? = nil
    ) {
        self.prerollID = prerollID
        self.appName = appName
        self.appLogoURL = appLogoURL
        self.requester = requester
    }

    /// The body of a server's answer, with both spellings that are in use.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.prerollID, prerollID)
        writer.add(.prerollIDCapital, prerollID)
        writer.add(.appName, appName)
        writer.add(.appNameCapital, appName)
        writer.add(.appLogoURL, appLogoURL)
        writer.add(.appLogoURLCapital, appLogoURL)
        if let requester { writer.add(.requester, json: requester.encode()) }
        return writer.finish()
    }

    /// Reads a server's answer in either spelling.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> SessionDetailsResponse {
        let object = try JSONObject(body, allowsEmpty: true)
        func either(_ first: MemberName, _ second: MemberName) -> String {
            object.displayText(first, in: body) ?? object.displayText(second, in: body) ?? ""
        }
        return SessionDetailsResponse(
            prerollID: either(.prerollID, .prerollIDCapital), appName: either(.appName, .appNameCapital),
            appLogoURL: either(.appLogoURL, .appLogoURLCapital), requester: SessionRequester(object, in: body))
    }

    /// A server's answer for an unknown code, and for a device that reports its user.
    package static func acknowledgement() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.statusCapital, "OK")
        return writer.finish()
    }
}
