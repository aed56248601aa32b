// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinServerStorage
internal import MPinWire

extension Administrator {
    /// Deletes everything that is stored about a user. The audit log keeps the user's events under a random pseudonym.
    package func purge(_ user: String) throws(ServerError) -> (purged: PurgedUser, pseudonym: String) {
        let pseudonym: String
        do throws(CryptoError) { pseudonym = "purged-" + HexText(bytes: try Random.bytes(4)).string } catch {
            throw ServerError(.internalFault, "cannot make a pseudonym")
        }
        let purged = try store.purgeUser(
            user, mailbox: MailAddress(user)?.mailbox, as: pseudonym,
            event: AuditEvent(.purged, at: clock.now, user: pseudonym, actor: actor))
        guard let purged else { throw Self.unknown(user) }
        return (purged, pseudonym)
    }

    /// Replaces a purged user with the pseudonym in events that a running server has written since.
    package func forget(_ user: String, as pseudonym: String) throws(ServerError) {
        _ = try store.forgetUser(user, as: pseudonym)
    }
}
