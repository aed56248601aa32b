/// A secret of a server with its second authority on another host, as it is sealed in the database.
package enum SealedSecret: String, CaseIterable {
    /// The private half of the key that signs the questions to that authority.
    case relyingPartyKey = "relying party key"
    /// That authority's half of the server secret.
    case serverShare = "server share"
}
