internal import MPinWire

extension MPinError {
    /// One sentence that may be shown and logged: never a body, a PIN or anything else of the user's. It begins with the
    /// address of the second authority if that has failed and the server's settings name its host.
    ///
    /// Milagro: `GetErrorMessage`
    public var message: String { (prefix + sentence.text).string }

    /// The address of the second authority, where that has failed and the server's settings name its host.
    package var secondAuthority: String? { prefix.isEmpty ? nil : String(prefix.string.dropLast(2)) }
}

extension MPinError: CustomStringConvertible {
    /// The status by its Milagro name, and the sentence.
    public var description: String { code.name.text + ": " + message }
}
