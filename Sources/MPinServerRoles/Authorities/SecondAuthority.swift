// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinServerStorage
internal import MPinWire

/// A second authority on another host, from the relying party's point of view.
///
/// Clients fetch their second shares there, so this host never sees them. The relying party itself asks only once: for
/// the authority's half of the server secret, which verifies logins even while the authority cannot be reached.
package struct SecondAuthority: Sendable {
    /// `https://HOST[:PORT][/PATH]`, without a trailing slash.
    let url: String
    let key: RelyingPartyKey
    let identity: RelyingPartyIdentity

    /// - Returns: nil on a server with both authorities.
    init?(_ vault: Vault) throws(ServerError) {
        let store = vault.store
        guard try store.role() == .relyingParty else { return nil }
        guard let url = try store.secondAuthorityURL(),
            let sealed = try store.sealedSecret(.relyingPartyKey)
        else { throw ServerError.incompleteDatabase }
        identity = try RelyingPartyIdentity(of: store)
        do throws(CryptoError) {
            key = RelyingPartyKey(
                try DeviceKey(scalar: vault.root.open(sealed, as: .relyingPartyKey), publicKey: identity.publicKey))
        } catch { throw Vault.foreign("cannot open the relying party's key") }
        self.url = url
    }

    /// Checks an address, and returns the form in which it is stored.
    ///
    /// - Throws: ``ServerError`` for anything but `https://`, because the address serves shares of secrets.
    package static func checked(_ address: String, at place: String) throws(ServerError) -> String {
        guard address.hasPrefix("https://") else {
            throw ServerError(
                .badInput, "\(place): not an https address: \(address)", hint: "Write https://HOST[:PORT].")
        }
        return try PublicURL.checked(address, at: place)
    }

    /// The address to which clients append their questions.
    var clientURL: String { "\(url)\(AuthorityEndpoint.clientSecret.parentPath)/" }

    /// The stored half of the server secret, 128 bytes.
    func serverShare(_ vault: Vault) throws(ServerError) -> SecretBytes {
        guard let sealed = try vault.store.sealedSecret(.serverShare) else {
            throw ServerError(
                .unavailable, "the second authority has not given its half of the server secret yet", hint: advice())
        }
        do throws(CryptoError) { return try vault.root.open(sealed, as: .serverShare) } catch {
            throw Vault.foreign("cannot open the second authority's half of the server secret")
        }
    }

    /// Fetches that half and stores it, unless there is one.
    ///
    /// - Throws: ``ServerError`` if there is none afterwards.
    func prepare(_ vault: Vault, certificateFile: String?, clock: ServerClock) throws(ServerError) {
        guard try vault.store.sealedSecret(.serverShare) == nil else { return }
        let request = ServerSecretRequest(url: url, certificateFile: certificateFile, advice: advice())
        let now = clock.now
        let sealed: [UInt8]
        do {
            let share = try request.send(try query(at: now))
            let first = try vault.masterShare(1)
            // The sum is a point only if both halves are points of the subgroup.
            _ = try Shares.recombineServer(try first.serverShare(), share)
            sealed = try vault.root.seal(share, as: .serverShare)
        } catch let fault as ServerError { throw fault } catch {
            throw ServerError(.configuration, "\(url) did not return half of a server secret", hint: advice())
        }
        try vault.store.keepServerShare(sealed, event: AuditEvent(.serverShareKept(from: url), at: now))
    }

    private func query(at now: Timestamp) throws(CryptoError) -> ShareQuery {
        let expires = now.adding(seconds: Registrar.signatureSeconds).zulu
        let signature = try key.sign(SignedParts.serverSecret(appID: identity.appID, expires: expires))
        return ShareQuery(
            appID: identity.appID, expires: expires, hashMPinID: nil, signature: HexText(bytes: signature))
    }

    /// How to turn that host into this authority.
    private func advice() -> String {
        let line = (try? identity.line) ?? "LINE"
        return """
            If it does not exist yet, run on its host: mpin-server init --relying-party \(line)
            Check that it runs there: mpin-server serve --listen ADDRESS --tls-cert FILE --tls-key FILE
            If your own CA issued its certificate, set second_authority_ca_file in server.conf on this host.
            """
    }
}

extension RelyingPartyIdentity {
    /// The identity in a directory's database.
    package init(of store: ServerStorage) throws(ServerError) {
        guard let bytes = try store.relyingPartyPublicKey(), bytes.count == DevicePublicKey.byteCount else {
            throw ServerError.incompleteDatabase
        }
        self.init(appID: try store.identity().appID, publicKey: DevicePublicKey(kept: bytes))
    }
}
