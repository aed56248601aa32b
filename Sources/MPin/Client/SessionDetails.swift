// SPDX-License-Identifier: Apache-2.0

/// Details of the session behind an access number or scanned code; empty texts if the server does not provide them.
public struct SessionDetails: Sendable {
    /// An identity that the session suggests for registration.
    public let prerollID: String

    /// The name of the application.
    public let appName: String

    /// The URL of the application's logo.
    public let appLogoURL: String

    /// Who requests the login; `nil` if the server does not report it.
    public let requester: Requester?

    /// SHA-256 of the server's answer; `nil` if the server did not answer.
    let digest: [UInt8]?

    /// The party that opened a session waiting for a login.
    public struct Requester: Sendable {
        /// Whether the server knows the requesting host. If not, only ``address`` is set, as the server saw it.
        public let isVerified: Bool

        /// The host's name at the server.
        public let host: String?

        /// The account that is to be logged in on that host.
        public let account: String?

        /// The service that requests the login, such as `sshd`.
        public let service: String?

        /// The address that the request came from.
        public let address: String?
    }
}

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
