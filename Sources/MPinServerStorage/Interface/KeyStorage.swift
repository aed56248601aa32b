/// The sealed secrets of a server, and the keys of before rotations.
package protocol KeyStorage: Sendable {
    /// The sealed master share of an authority.
    func sealedShare(_ number: Int) throws(ServerError) -> [UInt8]?

    /// Where the second authority is; nil where it is here.
    func secondAuthorityURL() throws(ServerError) -> String?

    /// The public half of the relying party's key; nil for a server with both authorities.
    func relyingPartyPublicKey() throws(ServerError) -> [UInt8]?

    /// A sealed secret of the relying party's; nil where there is none yet.
    func sealedSecret(_ name: SealedSecret) throws(ServerError) -> [UInt8]?

    /// Keeps the second authority's share of the server secret. One that is there stays: no later answer replaces it.
    func keepServerShare(_ sealed: [UInt8], event: AuditEvent) throws(ServerError)

    /// Whether a key has been the relying party's and was replaced.
    func isFormerRelyingParty(_ publicKey: [UInt8]) throws(ServerError) -> Bool

    /// Replaces the key of the relying party: its public half, and its sealed private half where that is here.
    func renewRelyingParty(_ publicKey: [UInt8], sealed: [UInt8]?, event: AuditEvent) throws(ServerError)

    /// The keys of before earlier rotations that something in the database still needs.
    func neededKeys(now: Int64) throws(ServerError) -> [RetiredKey]

    /// The keys of before earlier rotations for one purpose, the newest first.
    func retiredKeys(_ purpose: KeyPurpose) throws(ServerError) -> [RetiredKey]

    /// Replaces all that a sealing key has sealed, in one transaction.
    func rotateKeys(
        shares: [Int: [UInt8]], secrets: [SealedSecret: [UInt8]], retired: [RetiredKey], event: AuditEvent
    ) throws(ServerError)
}
