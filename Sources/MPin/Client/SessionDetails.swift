/// Who waits behind an access number or scanned code; empty texts where the server does not say.
public struct SessionDetails: Sendable {
    /// An identity that the session suggests to register.
    public let prerollID: String

    /// The name of the application.
    public let appName: String

    /// The address of a picture of the application.
    public let appLogoURL: String

    /// Who asks for the login; `nil` from servers that do not say.
    public let requester: Requester?

    /// Who opened a session that waits for a login.
    public struct Requester: Sendable {
        /// Whether the server knows the host that asks. If not, only ``address`` is given, as the server saw it.
        public let isVerified: Bool

        /// The host, as the server calls it.
        public let host: String?

        /// The account to be logged in there.
        public let account: String?

        /// The service that asks, such as `sshd`.
        public let service: String?

        /// The address that the request came from.
        public let address: String?
    }
}
