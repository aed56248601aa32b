/// By what clients know a server.
package struct ServerIdentity: Sendable {
    /// The application id of 32 hexadecimal digits.
    package let appID: String
    /// The lasting name of the server, 16 bytes.
    package let serverID: [UInt8]
    /// The address that the world sees, as it was given at initialization; nil for none.
    package let publicURL: String?
}
