/// An invitation that a user has made for another device.
package struct OwnInvitation: Sendable {
    package let code: String
    /// `YYYY-MM-DDTHH:MM:SSZ`
    package let expires: String
}
