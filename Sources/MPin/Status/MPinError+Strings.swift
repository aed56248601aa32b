// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinError {
    /// One sentence that may be shown and logged. It never contains a body, a PIN or other user data. It begins with
    /// the address of the second authority if that has failed and the server's settings name its host.
    ///
    /// Milagro: `GetErrorMessage`
    public var message: String { (prefix + sentence.text).string }

    /// The address of the second authority, if that has failed and the server's settings name its host.
    package var secondAuthority: String? { prefix.isEmpty ? nil : String(prefix.string.dropLast(2)) }
}

extension MPinError: CustomStringConvertible {
    /// The Milagro name of the status, and the sentence.
    public var description: String { code.name.text + ": " + message }
}
