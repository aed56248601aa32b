/// What is decided once, at initialization.
package struct FixedSettings: Sendable {
    /// The application id of 32 hexadecimal digits.
    let appID: String
    /// The lasting name of this server, 16 bytes.
    package let serverID: [UInt8]
    let publicURL: String?
    /// The sealed master shares, by the numbers of their authorities.
    let shares: [Int: [UInt8]]
    let role: ServerRole
    /// Where the second authority is to be made; nil for other roles than the relying party.
    let secondAuthorityURL: String?
    /// Of a relying party, or of the one that an authority is for.
    let relyingPartyPublicKey: [UInt8]?
    /// The other sealed secrets of the role.
    let secrets: [SealedSecret: [UInt8]]

    package init(
        appID: String, serverID: [UInt8], publicURL: String?, shares: [Int: [UInt8]], role: ServerRole,
        secondAuthorityURL: String? = nil, relyingPartyPublicKey: [UInt8]? = nil,
        secrets: [SealedSecret: [UInt8]] = [:]
    ) {
        self.appID = appID
        self.serverID = serverID
        self.publicURL = publicURL
        self.shares = shares
        self.role = role
        self.secondAuthorityURL = secondAuthorityURL
        self.relyingPartyPublicKey = relyingPartyPublicKey
        self.secrets = secrets
    }
}
