// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinServerRoles
package import MPinServerStorage
internal import MPinWire

/// What `init` makes in a directory.
package enum NewServer: Sendable {
    /// Both authorities and everything else on one host.
    case combined
    /// A relying party whose second authority will be on another host, with this address.
    case relyingParty(secondAuthority: String)
    /// The second authority of this relying party.
    case authority(RelyingPartyIdentity)

    package var role: ServerRole {
        switch self {
        case .combined: .combined
        case .relyingParty: .relyingParty
        case .authority: .authority
        }
    }

    /// Makes the keys and the other settings that are decided once.
    func settings(sealedBy key: SealKey, publicURL: String?) throws(CryptoError) -> FixedSettings {
        var shares: [Int: [UInt8]] = [:]
        for number in role.shares {
            let authority = try TrustAuthority.generate()
            shares[number] = try authority.withMaster { master throws(CryptoError) in
                try key.seal(master, authority: number)
            }
        }
        if case .authority(let relyingParty) = self {
            return FixedSettings(
                appID: relyingParty.appID, publicURL: publicURL, shares: shares,
                role: role, relyingPartyPublicKey: relyingParty.publicKey.bytes)
        }
        let serverKey = try ServerSigningKey(DeviceKey.generate())
        var secrets: [SealedSecret: [UInt8]] = [.serverKey: try serverKey.sealed(by: key)]
        var (address, relyingParty): (String?, [UInt8]?)
        if case .relyingParty(let secondAuthority) = self {
            let own = RelyingPartyKey(try DeviceKey.generate())
            secrets[.relyingPartyKey] = try own.sealed(by: key)
            (address, relyingParty) = (secondAuthority, own.publicKey.bytes)
        }
        return FixedSettings(
            appID: HexText(bytes: try Random.bytes(16)).string, serverPublicKey: serverKey.publicKey,
            publicURL: publicURL, shares: shares,
            role: role, secondAuthorityURL: address, relyingPartyPublicKey: relyingParty, secrets: secrets)
    }
}
