// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// Finds and activates the registrations behind links.
protocol LinkVerification: Sendable {
    /// The number of hexadecimal digits of the token in a link.
    var tokenDigits: Int { get }

    /// The registration behind a token; nil if none waits.
    func registration(token: String) throws -> LinkedRegistration?

    /// Whether the registration behind a token is already confirmed.
    func isConfirmed(token: String) throws -> Bool

    /// Activates the registration behind a token, once.
    func activate(token: String, source: RequestSource) throws -> Bool
}
