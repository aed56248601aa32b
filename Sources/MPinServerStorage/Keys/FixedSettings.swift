// SPDX-License-Identifier: Apache-2.0

/// The settings that initialization decides once.
package struct FixedSettings: Sendable {
    /// The application ID of 32 hexadecimal digits.
    let appID: String
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
    let secrets: [SealedSecret: [UInt8]]

    package init(
        appID: String, serverPublicKey: [UInt8]? = nil, publicURL: String?, shares: [Int: [UInt8]], role: ServerRole,
        secondAuthorityURL: String? = nil, relyingPartyPublicKey: [UInt8]? = nil, secrets: [SealedSecret: [UInt8]] = [:]
    ) {
        (self.appID, self.serverPublicKey, self.publicURL, self.shares) = (appID, serverPublicKey, publicURL, shares)
        (self.role, self.secondAuthorityURL) = (role, secondAuthorityURL)
        (self.relyingPartyPublicKey, self.secrets) = (relyingPartyPublicKey, secrets)
    }
}

/// The names by which clients know a server.
package struct ServerIdentity: Sendable {
    package let appID: String
    /// The public address that was set at initialization; nil if none was set.
    package let publicURL: String?
}

/// A secret that a server stores sealed in the database, besides the master shares, by the name of its setting.
package enum SealedSecret: String, CaseIterable {
    /// The private half of the key with which the server proves itself to devices.
    case serverKey = "server key"
    /// The private half of the key that signs questions to a second authority on another host.
    case relyingPartyKey = "relying party key"
    /// That authority's half of the server secret.
    case serverShare = "server share"
    /// Both halves of the key that signs ssh certificates.
    case sshAuthority = "ssh CA"
}

/// The permanent role of a server in its site. It determines which of the two master shares are in its directory.
package enum ServerRole: String, Sendable {
    /// Both authorities, the relying party and the application on one host.
    case combined
    /// The first authority, the relying party and the application. The second authority is on another host.
    case relyingParty
    /// The second authority alone.
    case authority

    /// The numbers of the authorities whose master shares are in the directory.
    package var shares: [Int] {
        switch self {
        case .combined: [1, 2]
        case .relyingParty: [1]
        case .authority: [2]
        }
    }

    /// The error of a command about users, devices and logins, which an authority does not have.
    package static let withoutUsers = ServerError(
        .configuration, "this directory contains a second authority, which has no users, devices or hosts",
        hint: "Run the command on the host of the relying party.")
}
