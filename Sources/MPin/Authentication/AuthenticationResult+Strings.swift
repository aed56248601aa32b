internal import MPinWire

extension AuthenticationResult {
    /// The application's answer: the text of a JSON object.
    public var data: String { login.answer.raw.string }

    /// The identity that logged in, where the server names it; it is the user's own then.
    public var userID: String? { login.answer.userID?.string }
}
