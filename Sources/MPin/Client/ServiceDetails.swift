// SPDX-License-Identifier: Apache-2.0

/// A service's description of itself for a client that scanned its address.
public struct ServiceDetails: Sendable {
    /// The name to show to the user.
    public let name: String

    /// The server's address, for ``MPinClient/setBackend(_:rpsPrefix:)``.
    public let backendURL: String

    /// The path of the server's protocol.
    public let rpsPrefix: String

    /// The URL of a logo, or an empty text.
    public let logoURL: String
}
