// SPDX-License-Identifier: Apache-2.0

/// The user that a one-time password or session belongs to.
package struct UserAnswer: Sendable, Equatable {
    package let userID: String
    /// The device that approved the sign-in of a browser.
    package let deviceName: String?
    /// When the browser was signed in, in seconds since 1970.
    package let created: Int?

    package init(userID: String, deviceName: String? = nil, created: Int? = nil) {
        self.userID = userID
        self.deviceName = deviceName
        self.created = created
    }

    /// The body of a server's answer.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.userID, userID)
        writer.add(.deviceName, ifPresent: deviceName)
        writer.add(.created, ifPresent: created)
        return writer.finish()
    }
}
