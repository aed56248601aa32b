/// What is decided once, at initialization.
package struct FixedSettings: Sendable {
    /// The application id of 32 hexadecimal digits.
    package let appID: String
    /// The lasting name of this server, 16 bytes.
    package let serverID: [UInt8]
    package let publicURL: String?
    /// The sealed master shares, by the numbers of their authorities.
    package let shares: [Int: [UInt8]]
    package let role: ServerRole
    /// What only this role has, by the names of the settings.
    package var texts: [String: String] = [:]

    package init(
        appID: String, serverID: [UInt8], publicURL: String?, shares: [Int: [UInt8]], role: ServerRole,
        texts: [String: String] = [:]
    ) {
        self.appID = appID
        self.serverID = serverID
        self.publicURL = publicURL
        self.shares = shares
        self.role = role
        self.texts = texts
    }
}
