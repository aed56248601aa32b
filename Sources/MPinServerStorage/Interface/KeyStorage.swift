// SPDX-License-Identifier: Apache-2.0

/// The sealed secrets of a server, and the keys that rotations have retired.
package protocol KeyStorage: Sendable {
    /// The sealed master share of an authority.
    func sealedShare(_ number: Int) throws(ServerError) -> [UInt8]?

    /// The public half of the server's key; nil for an authority, which has none.
    func serverPublicKey() throws(ServerError) -> [UInt8]?

    /// The address of the second authority; nil if it is on this server.
    func secondAuthorityURL() throws(ServerError) -> String?

    /// The public half of the relying party's key; nil on a server with both authorities.
    func relyingPartyPublicKey() throws(ServerError) -> [UInt8]?

    /// A sealed secret; nil if there is none yet.
    func sealedSecret(_ name: SealedSecret) throws(ServerError) -> [UInt8]?

    /// Stores the second authority's share of the server secret. A stored share is never replaced.
    func keepServerShare(_ sealed: [UInt8], event: AuditEvent) throws(ServerError)

    /// Whether a key was the relying party's key before it was replaced.
    func isFormerRelyingParty(_ publicKey: [UInt8]) throws(ServerError) -> Bool

    /// Replaces the relying party's key: its public half, and its sealed private half if that is stored here.
    func renewRelyingParty(_ publicKey: [UInt8], sealed: [UInt8]?, event: AuditEvent) throws(ServerError)

    /// The keys from earlier rotations that something in the database still needs.
    func neededKeys(now: Int64) throws(ServerError) -> [RetiredKey]

    /// The keys from earlier rotations for one purpose, newest first.
    func retiredKeys(_ purpose: KeyPurpose) throws(ServerError) -> [RetiredKey]

    /// Replaces everything that a sealing key has sealed, in one transaction.
    func rotateKeys(
        shares: [Int: [UInt8]], secrets: [SealedSecret: [UInt8]], retired: [RetiredKey], event: AuditEvent
    ) throws(ServerError)
}
