// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Gives a registration a new PIN.
    ///
    /// A login proves the old PIN first, because subtracting a wrong one would silently ruin the token. Then the token
    /// for the new PIN is computed here and stored beside the old one. It has to log in before it replaces the old one.
    /// - Parameters:
    ///   - user: a user in state REGISTERED at the server in use.
    ///   - old: the current PIN; wrong ones count.
    ///   - new: the new PIN: 4 to 6 digits that are not all zero; see ``PIN/weakness()`` for other weak PINs.
    /// - Throws: PIN_INPUT_CANCELED for any other new PIN; nothing is sent then. INCORRECT_PIN for a wrong old PIN.
    ///   FLOW_ERROR also if another process has changed it meanwhile. After any failure the old PIN stays valid, with
    ///   one exception: after STORAGE_ERROR because the disk did not confirm the last write, the new PIN is valid, as
    ///   the message says.
    ///
    /// Milagro: none
    public mutating func changePIN(_ user: User, from old: borrowing PIN, to new: borrowing PIN) throws(MPinError) {
        try new.requireUsable()
        let proof = try startAuthentication(user)
        _ = try logIn(proof, as: user, pin: old, .changePIN)
        try replacePIN(proof, from: old, to: new)
    }

    /// The second half, for callers that prove the old PIN before they ask for the new one.
    package mutating func replacePIN(
        _ pending: borrowing PendingAuthentication, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) {
        let user = pending.user
        let renewed = try MPinClient.renewal(of: user, from: old, to: new)
        try confirm { client throws(MPinError) in try client.stage(renewed) }
        // The new PIN is valid although the disk did not confirm it.
        var unconfirmed: MPinError?
        do throws(MPinError) {
            _ = try logIn(pending, as: renewed, pin: new, .login)
            unconfirmed = try confirm { client throws(MPinError) in try client.commit(renewed, over: user) }
        } catch {
            unstage(renewed)
            throw error
        }
        // The new PIN is valid now. A copy left in the staging area is replaced by the next change.
        unstage(renewed)
        user.token = renewed.token.take()
        user.pinScheme = renewed.pinScheme
        user.record.pinLength = renewed.record.pinLength
        if let unconfirmed { throw unconfirmed }
    }

    /// Writes to the store.
    ///
    /// - Returns: the error of a write that took effect without the disk's confirmation.
    /// - Throws: any other error, after which nothing has changed.
    @inline(__always) @discardableResult
    private mutating func confirm(
        _ write: (inout MPinClient) throws(MPinError) -> Void
    ) throws(MPinError) -> MPinError? {
        do throws(MPinError) { try write(&self) } catch {
            if error.cause == .unconfirmedWrite { return error }
            throw error
        }
        return nil
    }

    /// Replaces a registration with its copy that has proved itself, unless another process has changed it.
    mutating func commit(_ renewed: User, over user: User) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            // Another process may have given the registration another server key or address.
            (renewed.record.backend, renewed.record.rpsPrefix) = (user.record.backend, user.record.rpsPrefix)
            renewed.registration = user.registration
            try client.stored { store throws(StoreError) in try RecordFile.write(renewed, to: store) }
        }
    }

    /// Stores a copy that has to prove itself beside the registration in use, unless a new registration is in the
    /// staging area.
    private func stage(_ renewed: User) throws(MPinError) {
        try lockedStore { store throws(StoreError) in
            let staging = try store.beside(.staging, create: true)
            guard try MPinClient.hasRoom(for: renewed, in: staging) else { return }
            try RecordFile.write(renewed, to: staging)
        }
    }

    private func unstage(_ renewed: User) {
        do throws(MPinError) {
            try lockedStore { store throws(StoreError) in
                let staging = try store.beside(.staging, create: false)
                guard try MPinClient.hasRoom(for: renewed, in: staging) else { return }
                try RecordFile.remove(renewed, from: staging)
            }
        } catch {}
    }

    private static func hasRoom(for renewed: User, in staging: AccountStore) throws(StoreError) -> Bool {
        guard let present = try RecordFile.registration(like: renewed, in: staging) else { return true }
        return present.record.mpinID == renewed.record.mpinID
    }

    /// Returns a copy of the registration with the token for another PIN.
    private static func renewal(
        of user: User, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) -> User {
        let mpinID = try user.requireMPinID()
        let token: SecretBytes?
        do throws(CryptoError) {
            let identity = try Identity(mpinID: mpinID.bytes)
            let oldFactor = try PINFactor(pin: old.bytes, scheme: user.pinScheme)
            let newFactor = try PINFactor(pin: new.bytes, scheme: .decimal)
            token = try user.withToken { token throws(CryptoError) in
                try ClientToken.changeFactor(identity: identity, token: token, from: oldFactor, to: newFactor)
            }
        } catch { throw MPinError(error) }
        guard let token else { throw MPinError(.cryptoError, "This user's record has no token.") }
        let renewed = user.twin()
        renewed.record.pinLength = new.count
        renewed.token = consume token
        return renewed
    }
}
