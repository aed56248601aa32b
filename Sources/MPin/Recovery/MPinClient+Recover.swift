// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Replaces a blocked, revoked or expired registration with a new one from the staging area.
    ///
    /// Call it on a client that was opened on ``FileStore/Area/staging``. The new registration logs in first. Only then
    /// it replaces the registration of the same identity and server, in one step, and the server is asked to revoke the
    /// old one. If anything fails before that, the old registration is unchanged, and this call can be repeated.
    /// - Parameters:
    ///   - user: a user in state REGISTERED in the staging area.
    ///   - pin: the user's PIN.
    /// - Returns: whether the server has revoked the old registration. It has not if it does not know it, for example
    ///   because it was set up again since. Not every server can revoke.
    /// - Throws: INCORRECT_PIN and the other statuses of a login; STORAGE_ERROR; FLOW_ERROR in another state or area.
    ///
    /// Milagro: none
    @discardableResult public mutating func recover(_ user: User, pin: borrowing PIN) throws(MPinError) -> Bool {
        try recover(user, pin: pin, abandoned: [])
    }

    /// Recovers a registration, and has the registrations revoked that were abandoned on the way.
    ///
    /// - Parameter abandoned: their M-Pin IDs, in hexadecimal.
    package mutating func recover(_ user: User, pin: borrowing PIN, abandoned: [String]) throws(MPinError) -> Bool {
        guard store.area == .staging else {
            throw MPinError(.flowError, "Only a registration in the staging area can replace another one.")
        }
        let proof = try startAuthentication(user)
        try finishAuthentication(proof, pin: pin)
        let abandoned = MPinClient.mpinIDs(abandoned)
        try adopt(user, abandoned: abandoned)
        guard let inUse = registrationInUse(like: user) else { return false }
        defer { user.record.notes = inUse.record.notes }
        guard user.hasDeviceKey else { return false }
        let result = revokeReplaced(by: inUse, pin: pin)
        return result.left == 0 && result.revoked.contains { !abandoned.contains($0) }
    }

    /// Has the server revoke registrations that the one in use has replaced. Each request is authorized by a login of
    /// that one.
    ///
    /// - Parameters:
    ///   - mpinIDs: their M-Pin IDs, in hexadecimal.
    ///   - user: an identity and server; their registration in use logs in.
    /// - Returns: whether the server accepts none of them anymore. A failure does not affect the registration in use.
    package mutating func revoke(_ mpinIDs: [String], inFavorOf user: User, pin: borrowing PIN) -> Bool {
        guard user.hasDeviceKey, let inUse = registrationInUse(like: user) else { return false }
        var isRevoked = true
        for mpinID in MPinClient.mpinIDs(mpinIDs) where mpinID != inUse.record.mpinID {
            // If the server does not know the registration, there is nothing to revoke.
            if revoke(mpinID, by: inUse, pin: pin) == nil { isRevoked = false }
        }
        return isRevoked
    }

    /// Removes from the staging area any copy of a registration in use, which has the same M-Pin ID.
    ///
    /// Call it first on a client that was opened on ``FileStore/Area/staging``. An interrupted change of the PIN or an
    /// interrupted recovery leaves such a copy. It is not the beginning of a new registration, and must not be taken
    /// for one.
    ///
    /// - Throws: STORAGE_ERROR; FLOW_ERROR outside the staging area.
    ///
    /// Milagro: none
    public mutating func discardLeftovers() throws(MPinError) {
        for user in allUsers {
            let inUse: User?
            do throws(StoreError) {
                inUse = try RecordFile.registration(like: user, in: store.beside(.users, create: true))
            } catch { throw MPinError(error) }
            if let inUse, inUse.record.mpinID == user.record.mpinID { try deleteUser(user) }
        }
    }

    /// Replaces the registration in use with one from the staging area, and stores which registrations the server has
    /// yet to revoke: from here on, a crash must not lose them.
    private mutating func adopt(_ user: User, abandoned: [HexText]) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            try client.requireKeyOfReplaced(by: user)
            try client.stored { store throws(StoreError) in
                let inUse = try store.beside(.users, create: true)
                // Nil for one of another key, which the server knows as little as its backup codes.
                let replaced = try RecordFile.registration(like: user, in: inUse)
                var notes = MPinClient.notes(of: user, replacing: replaced, abandoned)
                // A Milagro registration cannot revoke others.
                if !user.hasDeviceKey { notes.replaced = [] }
                user.notes = notes
                if let key = user.device?.serverKey, let replaced, replaced.device?.serverKey == key {
                    // The server may have moved since the new registration was started.
                    (user.record.backend, user.record.rpsPrefix) = (replaced.record.backend, replaced.record.rpsPrefix)
                }
                if client.acceptsProvenKey {
                    try RecordFile.replace(user, in: inUse)
                } else {
                    try RecordFile.write(user, to: inUse)
                }
                if let replaced { AttemptNotes(of: replaced, in: inUse, create: false)?.clear() }
            }
            // It is the registration in use now. A copy left in the staging area is discarded by the next renewal.
            do throws(StoreError) { try RecordFile.remove(user, from: client.store) } catch {}
        }
    }

    /// Makes sure that a registration with a device key is replaced only by one at the server with the same key, unless
    /// ``acceptsProvenKey`` is set. The new one keeps the source of that key, unless an invitation has proven the key anew.
    private func requireKeyOfReplaced(by user: User) throws(MPinError) {
        var replaced: [User] = []
        for inUse in try registrationsInUse() {
            if inUse.isRegistration(like: user) { replaced.append(inUse) }
            guard let key = inUse.device?.serverKey,
                inUse.isRegistration(of: user.record.identity, at: user.record.backend)
            else { continue }
            guard key == user.device?.serverKey || acceptsProvenKey && user.device?.source == .invitation else {
                throw MPinClient.otherServerKey
            }
        }
        guard replaced.count <= 1 else {
            throw MPinError(.flowError, "This identity has two registrations at this server: delete one of them first.")
        }
        guard let device = user.device, device.source == .tls, let former = replaced.first?.device else { return }
        device.trust(device.serverKey, former.source)
    }

    private static func notes(of user: User, replacing old: User?, _ abandoned: [HexText]) -> EnrollmentNotes {
        var notes = user.notes
        if let old {
            notes.replaced += old.notes.replaced
            // An interrupted adoption has already stored this registration, which must not be revoked.
            if let mpinID = old.record.mpinID, mpinID != user.record.mpinID {
                notes.replaced.append(EnrollmentNotes.Replaced(mpinID: mpinID, device: old.notes.device))
            }
            notes.backupCodes = notes.backupCodes ?? old.notes.backupCodes
        }
        notes.replaced += abandoned.map { EnrollmentNotes.Replaced(mpinID: $0, device: nil) }
        return notes
    }

    private static func mpinIDs(_ texts: [String]) -> [HexText] {
        texts.compactMap { HexText(text: ByteText($0).bytes.span) }
    }

    func registrationInUse(like user: User) -> User? {
        do throws(StoreError) {
            return try RecordFile.registration(like: user, in: store.beside(.users, create: false))
        } catch { return nil }
    }
}

extension MPinClient {
    /// Makes a BLOCKED user REGISTERED again, if the server has lifted the block and the PIN logs in.
    ///
    /// A server that still blocks the user answers without judging the PIN.
    /// - Parameters:
    ///   - user: a user in state BLOCKED at the server in use.
    ///   - pin: the existing PIN.
    /// - Throws: INCORRECT_PIN while the server blocks the user, or for a wrong PIN, which counts; the user stays
    ///   BLOCKED.
    ///
    /// Milagro: none
    public mutating func liftBlock(of user: User, pin: borrowing PIN) throws(MPinError) {
        try requireHere(user)
        try requireUnchanged(user)
        guard user.state == .blocked else { throw user.wrongState }
        let renewed = user.twin()
        renewed.pinScheme = user.pinScheme
        renewed.record.pinLength = user.record.pinLength
        // A successful login then knows that there is something to clear.
        renewed.attemptsLeft = user.attemptsLeft
        do throws(CryptoError) {
            renewed.token = try user.withToken { token throws(CryptoError) in try token.copy() }
        } catch { throw MPinError(error) }
        let deadline = deadline()
        do throws(MPinError) {
            let pending = try beginLogin(of: renewed, until: deadline)
            _ = try logIn(pending, as: renewed, pin: pin, .login)
        } catch {
            // Callers read the refusal from the user object that they have.
            readLastContact(of: user)
            throw error
        }
        try commit(renewed, over: user)
        user.state = .registered
        (user.attemptsLeft, user.wrongSinceLastLogin) = (renewed.attemptsLeft, renewed.wrongSinceLastLogin)
        user.forgetRefusal()
    }
}
