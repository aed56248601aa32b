// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// Gives registrations without a key one at a login with the two passes.
///
/// The key is stored as pending before anything of the proof is sent, so a crash at any point cannot leave the server
/// with a key whose private half is lost. All processes that log in with the record give the server the same key.
extension MPinClient {
    /// Makes a key for a registration that has none and stores it, if server and record allow that. If anything
    /// prevents it, the login continues without a key.
    ///
    /// Cached settings may be older than the server's current features, so they are read again. A server without a
    /// permanent name accepts no keys.
    func prepareKey(
        for user: User, _ pending: borrowing PendingAuthentication, _ final: FinalCall, _ deadline: Deadline
    ) {
        let server = pending.server
        guard final.takesKey, user === pending.user, isListed(user), user.record.serverID != nil,
            server.takesKey(of: user) || server.readAgain(until: deadline) && server.takesKey(of: user)
        else { return }
        do throws(StoreError) {
            try changeKey(of: user) { stored in
                // If another process was faster, its key is used.
                if stored.key != nil { return false }
                do throws(MPinError) { stored.key = try RegistrationKey(isPending: true) } catch { return false }
                return true
            }
        } catch {}
    }

    /// The key that is bound when a login handle is redeemed; nil for none.
    func binding(of user: User, at server: Server, _ final: FinalCall, handle: HexText) -> DeviceBinding? { nil }

    /// The error of a final call that binds a key.
    ///
    /// 409 means that the registration was given another device's key at this moment: a copy of the record logs in
    /// elsewhere. The login fails, and nothing is tried without the key: the server no longer accepts unsigned requests
    /// for this registration, and a client that fell back could be downgraded.
    static func refusedBinding(_ error: MPinError) -> MPinError {
        guard error.httpStatus == 409 else { return error }
        return MPinError(
            .clientSecretExpired, MPinError.unknownDevice, pinChecked: error.pinChecked, httpStatus: error.httpStatus,
            cause: .otherDevice)
    }

    /// Adopts the key that another login may have given the server since this one began, if the two passes are answered
    /// as for an M-Pin ID that the server does not know, which is no verdict.
    ///
    /// - Returns: the key to prove the PIN with again; nil if there is none, or if the answer was a verdict.
    @inline(never)
    func keyBoundMeanwhile(
        _ error: MPinError, _ pending: borrowing PendingAuthentication, _ deadline: Deadline
    ) -> RegistrationKey? {
        // A permit is refused with 410, and a final call with 401.
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

    /// Stores that the server has the key. If that fails, the next login still tries the signed way first.
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

    /// Changes the key in the record of a registration, unless another registration or token has replaced it.
    ///
    /// - Parameter change: changes what is stored; returns whether it did.
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

struct DeviceBinding {}
