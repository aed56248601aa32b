/// An invitation that a user has created for another device.
public struct OwnInvitation: Sendable {
    /// What the other device passes as `activateCode` to ``MPinClient/startRegistration(_:activateCode:userData:)``.
    public let code: String
    /// When it expires, in UTC: `YYYY-MM-DDTHH:MM:SSZ`.
    public let expires: String
}
