// SPDX-License-Identifier: Apache-2.0
// The Embedded module has to be small: with it, 'mpin-enroll test' moves a registration over.
#if !hasFeature(Embedded)
internal import MPinCrypto
internal import MPinWire

/// Gives registrations from before servers had keys a pin, at a login whose answer is proven. From then on the device
/// signs for that key, so a key that was swapped at this moment is noticed at the first login at the real server.
extension MPinClient {
    /// The check by which the answer to a login can give its registration a pin; nil if the server offers no proof.
    ///
    /// - Parameter request: the digest that identifies the signed request in the proof.
    func checkForPin(
        of user: User, _ pending: borrowing PendingAuthentication, _ request: [UInt8]
    ) -> AnswerCheck? {
        guard user === pending.user, isListed(user), pending.server.settings.offers(.proof),
            let key = pending.server.settings.serverKey?.lowercased
        else { return nil }
        do throws(CryptoError) {
            return AnswerCheck(.login, key: key, hash: try Hash.sha256(key.bytes), request: request, isRequired: false)
        } catch { return nil }
    }

    /// Stores the key that has proven the answer to a successful login, unless another process has changed the
    /// registration. If that fails, the next login tries again.
    @inline(never)
    func moveOver(_ user: User, _ key: RegistrationKey, to proven: AnswerCheck) {
        let soon = Deadline(millisecondsFromNow: 200)
        do throws(StoreError) {
            try store.withLock(until: soon, create: true) { store throws(StoreError) in
                var found: User?
                for stored in try RecordFile.load(store).users where stored.record.identity == user.record.identity {
                    if stored.isRegistration(like: user), stored.isSameRegistration(as: user) {
                        found = stored
                    } else if stored.record.serverKey == proven.key {
                        // Both would be the same registration.
                        return
                    }
                }
                guard let found, let present = found.key, !present.isPending, present.publicKey == key.publicKey else {
                    return
                }
                if !found.isPinned {
                    found.record.pin(proven.key, hash: proven.keyHash, .tls)
                    try RecordFile.write(found, to: store)
                }
                user.record.takePin(of: found.record)
            }
        } catch {}
    }
}
#endif
