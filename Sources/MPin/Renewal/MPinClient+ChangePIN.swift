internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Gives a registration a new PIN.
    ///
    /// The old PIN is proved by a login first, because subtracting a wrong one would ruin the token unnoticed. Then the
    /// token for the new PIN is computed here, written beside the old one, has to log in, and only then takes its
    /// place.
    /// - Parameters:
    ///   - user: one in state REGISTERED at the server in use.
    ///   - old: the PIN until now; wrong ones count.
    ///   - new: the PIN from now on: 4 to 6 digits that are not all zero; see ``PIN/weakness()`` for other weak PINs.
    /// - Throws: PIN_INPUT_CANCELED for any other new PIN; nothing is sent then. INCORRECT_PIN for a wrong old PIN;
    ///   FLOW_ERROR, too, when another process has changed it meanwhile. Whatever fails, the old PIN stays the right one.
    ///   The one exception is STORAGE_ERROR because the disk did not confirm the last write: then the new PIN is in force,
    ///   as its message says.
    ///
    /// Milagro: none
    public mutating func changePIN(
        _ user: User, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) {
        try new.requireUsable()
        let proof = try startAuthentication(user, accessCode: ByteText?.none)
        _ = try finishAuthentication(proof, as: user, pin: old, final: .changePIN)
        try replacePIN(proof, from: old, to: new)
    }

    /// The second half: for callers that prove the old PIN before they ask for the new one.
    package mutating func replacePIN(
        _ pending: borrowing PendingAuthentication, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) {
        let user = pending.user
        let renewed = try MPinClient.renewal(of: user, from: old, to: new)
        try confirm { client throws(MPinError) in try client.stage(renewed) }
        // In force although the disk did not confirm it.
        var unconfirmed: MPinError?
        do throws(MPinError) {
            _ = try finishAuthentication(pending, as: renewed, pin: new, final: .authenticate)
            unconfirmed = try confirm { client throws(MPinError) in try client.commit(renewed, over: user) }
        } catch {
            unstage(renewed)
            throw error
        }
        // The new PIN is valid now; a copy that stays in the staging area is replaced by the next change.
        unstage(renewed)
        user.token = renewed.token.take()
        user.pinScheme = renewed.pinScheme
        user.record.pinLength = renewed.record.pinLength
        if let unconfirmed { throw unconfirmed }
    }

    /// Writes to the store.
    ///
    /// - Returns: the error of a write that is in place, but that the disk did not confirm.
    /// - Throws: any other error, after which nothing is changed.
    @inline(__always) @discardableResult
    private mutating func confirm(
        _ write: (inout MPinClient) throws(MPinError) -> Void
    ) throws(MPinError) -> MPinError? {
        do throws(MPinError) { try write(&self) } catch {
            // The module without a runtime has to be small.
            #if !hasFeature(Embedded)
            if error.cause == .unconfirmedWrite { return error }
            #endif
            throw error
        }
        return nil
    }

    /// Writes a registration that has proved itself over the same one, unless another process has changed that.
    mutating func commit(_ renewed: User, over user: User) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            try client.stored { store throws(StoreError) in try RecordFile.write(renewed, to: store) }
        }
    }

    /// Writes a registration that has to prove itself beside the one in use, unless a new registration waits there.
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

    private static func hasRoom(for renewed: User, in staging: borrowing FileStore) throws(StoreError) -> Bool {
        guard let present = try registration(of: renewed, in: staging) else { return true }
        return present.record.mpinID == renewed.record.mpinID
    }

    /// The same registration with the token for another PIN.
    private static func renewal(
        of user: User, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) -> User {
        guard let mpinID = user.mpinIDBytes else {
            throw MPinError(.storageError, "This user's record has no M-Pin ID.")
        }
        let token: SecretBytes?
        do throws(CryptoError) {
            let identity = try Identity(mpinID: mpinID)
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
