// SPDX-License-Identifier: Apache-2.0

/// A secret that a server with its second authority on another host stores sealed in the database.
package enum SealedSecret: String, CaseIterable {
    /// The private half of the key that signs questions to that authority.
    case relyingPartyKey = "relying party key"
    /// That authority's half of the server secret.
    case serverShare = "server share"
}
