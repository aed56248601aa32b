internal import MPinWire

extension MPinError {
    /// One sentence that may be shown and logged: never a body, a URL, a PIN or anything else of the user's.
    ///
    /// Milagro: `GetErrorMessage`
    public var message: String { sentence.text.string }
}

extension MPinError: CustomStringConvertible {
    /// The status by its Milagro name, and the sentence.
    public var description: String { code.name.text + ": " + message }
}
