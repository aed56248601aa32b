// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The server's answer to a login that it accepted.
public struct AuthenticationResult: Sendable {
    let login: AcceptedLogin

    /// The application's answer, as the text of a JSON object.
    public var data: String { login.answer.raw.string }

    /// The identity that logged in, if the server names it. It is always the user's own identity.
    public var userID: String? { login.answer.userID?.string }
}
