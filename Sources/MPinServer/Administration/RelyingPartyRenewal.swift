// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinServerRoles
package import MPinServerStorage
internal import MPinWire

/// Replaces the key with which a relying party signs its questions to its second authority. This makes a copy of the
/// relying party's disk useless, because the authority no longer accepts questions with the former key.
///
/// The master shares and all enrollments stay the same. Between the two steps the authority refuses new enrollments,
/// and devices with keys can log in.
package enum RelyingPartyRenewal {
    /// Makes the new key, at the relying party.
    ///
    /// - Returns: the identity that the authority must accept.
    package static func renew(_ directory: ServerDirectory, actor: String) throws(ServerError) -> RelyingPartyIdentity {
        try change(directory) { store, root throws(ServerError) in
            guard try store.role() == .relyingParty else {
                throw ServerError(
                    .configuration, "\(directory.path) does not contain a relying party",
                    hint: "Run the command on the host of 'mpin-server init --second-authority URL'.")
            }
            let (bytes, sealed): ([UInt8], [UInt8])
            do throws(CryptoError) {
                let key = RelyingPartyKey(try DeviceKey.generate())
                (bytes, sealed) = (key.publicKey.bytes, try key.sealed(by: root))
            } catch { throw ServerError(.internalFault, "cannot make a key: \(error)") }
            try store.renewRelyingParty(
                bytes, sealed: sealed,
                event: AuditEvent(.relyingPartyKeyMade, at: ServerClock.system.now, actor: actor))
        }
        return try RelyingPartyIdentity(of: directory)
    }

    /// Replaces the former key's public half with the new key's, at the authority.
    package static func accept(
        _ identity: RelyingPartyIdentity, _ directory: ServerDirectory, actor: String
    ) throws(ServerError) {
        try change(directory) { store, _ throws(ServerError) in
            guard try store.role() == .authority else {
                throw ServerError(
                    .configuration, "\(directory.path) does not contain a second authority",
                    hint: "Run the command on the second authority's host.")
            }
            let present = try RelyingPartyIdentity(of: store)
            guard present.appID == identity.appID else {
                throw ServerError(
                    .badInput, "this line belongs to a different relying party than this authority",
                    hint: "Nothing was changed. A second authority serves only one relying party.")
            }
            guard present != identity else {
                throw ServerError(.nothingToChange, "this authority already has this key")
            }
            // A thief who copied the relying party's disk before a renewal has that key.
            guard try !store.isFormerRelyingParty(identity.publicKey.bytes) else {
                throw ServerError(
                    .badInput, "this line contains a former key, which this authority no longer accepts",
                    hint: "Nothing was changed.\nOn the relying party's host, run: mpin-server relying-party renew")
            }
            try store.renewRelyingParty(
                identity.publicKey.bytes, sealed: nil,
                event: AuditEvent(.relyingPartyKeyAccepted, at: ServerClock.system.now, actor: actor))
        }
    }

    private static func change(
        _ directory: ServerDirectory, _ body: (ServerStorage, SealKey) throws(ServerError) -> Void
    ) throws(ServerError) {
        try directory.check()
        // A running server has the former key in its memory.
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try directory.storage(.writing)
        try directory.demandAlone(store)
        try body(store, directory.readKey(for: store))
        try store.close()
    }
}

extension RelyingPartyIdentity {
    /// The identity of the relying party in a directory, for making its second authority.
    package init(of directory: ServerDirectory) throws(ServerError) {
        try directory.check()
        try self.init(of: directory.storage(.writing))
    }
}
