internal import MPinCrypto
internal import MPinWire

/// Registrations of the old kind that get a key at a login by the two passes.
///
/// The key is written down as pending before anything of the proof is sent, so that no cut can leave a key at the server
/// whose private half nobody has. All processes that log in with the record give the server the same one.
extension MPinClient {
    /// Makes a key for a registration that has none and writes it down, where server and record allow. Whatever prevents it,
    /// the login goes on without.
    ///
    /// Settings of an earlier login may be older than what the server can do now, so they are read again. A server without a
    /// lasting name takes no keys.
    func prepareKey(
        for user: User, _ pending: borrowing PendingAuthentication, _ final: FinalCall, _ deadline: Deadline
    ) {
        let server = pending.server
        guard final.takesKey, user === pending.user, isListed(user), user.record.serverID != nil,
            server.takesKey(of: user) || server.readAgain(until: deadline) && server.takesKey(of: user)
        else { return }
        do throws(StoreError) {
            try changeKey(of: user) { stored in
                // Another process may have been faster: its key is the one.
                if stored.key != nil { return false }
                do throws(MPinError) { stored.key = try RegistrationKey(isPending: true) } catch { return false }
                return true
            }
        } catch {}
    }

    /// The key that a login handle is to be redeemed with; nil for none.
    func binding(of user: User, at server: Server, _ final: FinalCall, handle: HexText) -> DeviceBinding? {
        guard let key = user.key, key.isPending, final.takesKey, server.takesKey(of: user),
            let serverID = user.serverIDBytes, let mpinID = user.mpinIDBytes
        else { return nil }
        // The PIN may be judged by now: what fails here costs the key, which the next login brings, and not the login.
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try DeviceStatement.binding(
                publicKey: key.publicKey.bytes, serverID: serverID, mpinID: mpinID, handle: handle.bytes)
        } catch { return nil }
        do throws(MPinError) {
            return DeviceBinding(
                publicKey: key.publicKey, signature: try key.sign(digest, tpm: options.tpmDevice, until: deadline()))
        } catch { return nil }
    }

    /// The failure of a final call that brought a key.
    ///
    /// 409 is that of a registration which got the key of another device in this moment: a copy of the record logs in
    /// elsewhere. The login is refused, and nothing is tried without the key: the server takes no unsigned request about it
    /// any more, and a client that fell back could be made to.
    static func refusedBinding(_ error: MPinError) -> MPinError {
        guard error.httpStatus == 409 else { return error }
        return MPinError(
            .clientSecretExpired, MPinError.unknownDevice, pinChecked: error.pinChecked, httpStatus: error.httpStatus,
            cause: .unknownDevice)
    }

    /// Takes over the key that another login may have given the server since this one began: where the old way is answered
    /// as for an M-Pin ID that the server does not know, which is no verdict.
    ///
    /// - Returns: the key to prove the PIN with once more; nil where there is none, or the answer was a verdict.
    @inline(never)
    func keyBoundMeanwhile(
        _ error: MPinError, _ pending: borrowing PendingAuthentication, _ deadline: Deadline
    ) -> RegistrationKey? {
        // A permit is refused by 410, and a final call by 401.
        guard error.attemptsLeft == nil, error.httpStatus == 401 || error.httpStatus == 410 else { return nil }
        let user = pending.user
        do throws(StoreError) {
            guard let stored = try MPinClient.registration(of: user, in: store), stored.isSameRegistration(as: user),
                let key = stored.key
            else { return nil }
            user.key = key
        } catch { return nil }
        do throws(MPinError) {
            return try prepareDirectLogin(of: user, at: pending.server, pending.cache, deadline) ? user.key : nil
        } catch { return nil }
    }

    /// Writes down that the server has the key. Where that fails, the next login is tried signed first all the same.
    @inline(never)
    func confirmKey(of user: User) {
        guard let key = user.key else { return }
        key.isPending = false
        guard isListed(user) else { return }
        do throws(StoreError) {
            try changeKey(of: user) { stored in
                guard let present = stored.key, present.isPending, present.publicKey == key.publicKey else {
                    return false
                }
                present.isPending = false
                return true
            }
        } catch {}
    }

    /// Changes the key in the record of a registration, unless another registration or token has taken its place.
    ///
    /// - Parameter change: changes what is stored; whether it did.
    @inline(never)
    private func changeKey(of user: User, _ change: (User) -> Bool) throws(StoreError) {
        let soon = Deadline(millisecondsFromNow: 200)
        try store.withLock(until: soon, create: true) { store throws(StoreError) in
            guard let stored = try MPinClient.registration(of: user, in: store), stored.isSameRegistration(as: user)
            else { return }
            if change(stored) { try RecordFile.write(stored, to: store) }
            user.key = stored.key
        }
    }
}
