// SPDX-License-Identifier: Apache-2.0

/// A secret that a server stores sealed in the database, besides the master shares.
package enum SealedSecret: String, CaseIterable {
    /// The private half of the key with which the server proves itself to devices.
    case serverKey = "server key"
    /// The private half of the key that signs questions to a second authority on another host.
    case relyingPartyKey = "relying party key"
    /// That authority's half of the server secret.
    case serverShare = "server share"
}
