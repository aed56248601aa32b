// SPDX-License-Identifier: Apache-2.0

/// The server's answer to a login that it accepted.
public struct AuthenticationResult: Sendable {
    let login: AcceptedLogin
}
