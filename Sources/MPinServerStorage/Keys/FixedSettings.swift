// SPDX-License-Identifier: Apache-2.0

/// The settings that initialization decides once.
package struct FixedSettings: Sendable {
    /// The application ID of 32 hexadecimal digits.
    let appID: String
    /// The permanent name of this server.
    package let serverID: [UInt8]
    /// The public half of the server's key, 65 bytes; nil for an authority, which has none.
    package let serverPublicKey: [UInt8]?
    let publicURL: String?
    /// The sealed master shares, by the numbers of their authorities.
    let shares: [Int: [UInt8]]
    let role: ServerRole
    /// The address of the second authority, on another host; nil for other roles than the relying party.
    let secondAuthorityURL: String?
    /// The key of this relying party, or of the one that an authority serves.
    let relyingPartyPublicKey: [UInt8]?
    /// The other sealed secrets of the role.
    let secrets: [SealedSecret: [UInt8]]

    package init(
        appID: String, serverID: [UInt8], serverPublicKey: [UInt8]? = nil, publicURL: String?,
        shares: [Int: [UInt8]], role: ServerRole,
        secondAuthorityURL: String? = nil, relyingPartyPublicKey: [UInt8]? = nil,
        secrets: [SealedSecret: [UInt8]] = [:]
    ) {
        self.appID = appID
        self.serverID = serverID
        self.serverPublicKey = serverPublicKey
        self.publicURL = publicURL
        self.shares = shares
        self.role = role
        self.secondAuthorityURL = secondAuthorityURL
        self.relyingPartyPublicKey = relyingPartyPublicKey
        self.secrets = secrets
    }
}
