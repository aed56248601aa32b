internal import MPinCrypto
internal import MPinWire

extension MPin {
    /// Gives a registration a new PIN.
    ///
    /// The old PIN is proved by a login first, because subtracting a wrong one would ruin the token unnoticed. Then the
    /// token for the new PIN is computed here, written beside the old one, has to log in, and only then takes its place.
    /// - Throws: INCORRECT_PIN for a wrong old PIN. Whatever fails, the old PIN stays the right one.
    package mutating func changePIN(
        _ user: User, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) {
        let proof = try startLogin(user)
        try logIn(proof, pin: old)
        try replacePIN(proof, from: old, to: new)
    }

    /// The second half: for callers that prove the old PIN before they ask for the new one.
    package mutating func replacePIN(
        _ pending: borrowing PendingAuthentication, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) {
        let user = pending.user
        let candidate = try MPin.candidate(of: user, from: old, to: new)
        let staging = try stage(candidate)
        do throws(MPinError) {
            _ = try finish(pending, as: candidate, pin: new, final: .authenticate)
            try stored { store throws(StoreError) in try RecordFile.write(candidate, to: store) }
        } catch {
            do throws(StoreError) { try RecordFile.remove(candidate, from: staging) } catch {}
            throw error
        }
        // The new PIN is in force; a leftover in the staging area is found and replaced by the next change.
        do throws(StoreError) { try RecordFile.remove(candidate, from: staging) } catch {}
        user.token = candidate.token.take()
        user.pinScheme = candidate.pinScheme
        user.record.pinLength = candidate.record.pinLength
    }

    /// Writes a registration that has to prove itself beside the one in use.
    private func stage(_ candidate: User) throws(MPinError) -> FileStore {
        do throws(StoreError) {
            let staging = try store.beside(.staging, create: true)
            try RecordFile.write(candidate, to: staging)
            return staging
        } catch { throw MPinError(error) }
    }

    /// The same registration with the token for another PIN.
    private static func candidate(
        of user: User, from old: borrowing PIN, to new: borrowing PIN
    ) throws(MPinError) -> User {
        guard let mpinID = user.mpinIDBytes else {
            throw MPinError(.storageError, "The record of this user has no M-Pin ID.")
        }
        let scheme: PINScheme = new.isDigits(count: PIN.digits) ? .decimal : .hashed
        let token: SecretBytes?
        do throws(CryptoError) {
            let identity = try Identity(mpinID: mpinID)
            let oldFactor = try PINFactor(pin: old.bytes, scheme: user.pinScheme)
            let newFactor = try PINFactor(pin: new.bytes, scheme: scheme)
            token = try user.withToken { token throws(CryptoError) in
                try ClientToken.changeFactor(identity: identity, token: token, from: oldFactor, to: newFactor)
            }
        } catch { throw MPinError(error) }
        guard let token else { throw MPinError(.cryptoError, "The record of this user has no token.") }
        let candidate = user.twin()
        candidate.pinScheme = scheme
        candidate.record.pinLength = scheme == .decimal ? new.count : nil
        candidate.token = consume token
        return candidate
    }
}
