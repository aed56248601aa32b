// SPDX-License-Identifier: Apache-2.0

/// The user that a one-time password or session belongs to.
package struct UserAnswer: Sendable, Equatable {
    package let userID: String
    /// The device that approved the sign-in of a browser.
    package let deviceName: String?
    /// When the browser was signed in, in seconds since 1970.
    package let created: Int?

    package init(userID: String, deviceName: String? = nil, created: Int? = nil) {
        (self.userID, self.deviceName, self.created) = (userID, deviceName, created)
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.userID, userID)
        writer.add(.deviceName, ifPresent: deviceName)
        writer.add(.created, ifPresent: created)
        return writer.finish()
    }
}

/// Redeems a user's one-time password that was typed at another application.
package struct OneTimePasswordRequest: Sendable, Equatable {
    package let userID: String
    /// Six ASCII digits; nil for anything else.
    package let password: [UInt8]?

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> OneTimePasswordRequest {
        let object = try JSONObject(request: body)
        return OneTimePasswordRequest(
            userID: try object.text(.userID, in: body),
            password: OneTimePasswordFormat.digits(try object.text(.oneTimePassword, in: body)))
    }
}
