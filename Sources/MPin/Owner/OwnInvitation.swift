// SPDX-License-Identifier: Apache-2.0

/// An invitation that a user has created for another device.
public struct OwnInvitation: Sendable {
    /// The code that the other device passes as `activateCode` to
    /// ``MPinClient/startRegistration(_:activateCode:userData:serverKey:)``.
    public let code: String
    /// When the code expires, in UTC: `YYYY-MM-DDTHH:MM:SSZ`.
    public let expires: String
}
