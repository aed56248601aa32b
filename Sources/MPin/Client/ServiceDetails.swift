/// What a service tells a client that scanned its address.
public struct ServiceDetails: Sendable {
    /// The name to show.
    public let name: String

    /// The server's address, for ``MPinClient/setBackend(_:rpsPrefix:)``.
    public let backendURL: String

    /// The path below which the server's protocol lies.
    public let rpsPrefix: String

    /// The address of a picture, or an empty text.
    public let logoURL: String
}
