/// What the server said of a login that it accepted.
public struct AuthenticationResult: Sendable {
    /// The application's answer: the text of a JSON object.
    public let data: String

    /// The identity that logged in, where the server names it; it is the user's own then.
    public let userID: String?
}
