#if !hasFeature(Embedded)
package import MPinWire

extension MPinClient {
    /// Puts a new registration from the staging area in the place of one that is blocked, revoked or expired.
    ///
    /// For a client that was opened on ``FileStore/Area/staging``. The new registration logs in first. Only then it
    /// takes the place of the one of the same identity and server, in one step, and the server is asked to revoke what
    /// it has replaced. Until then, whatever fails, the old registration stays what it is, and this call can be
    /// repeated.
    /// - Parameters:
    ///   - user: one in state REGISTERED in the staging area.
    ///   - pin: its PIN.
    /// - Returns: whether the server has revoked the old registration. It need not, where it was set up anew since; and
    ///   not every server can.
    /// - Throws: INCORRECT_PIN and the other statuses of a login; STORAGE_ERROR; FLOW_ERROR in another state or area.
    ///
    /// Milagro: none
    @discardableResult
    public mutating func recover(_ user: User, pin: borrowing PIN) throws(MPinError) -> Bool {
        try recover(user, pin: pin, abandoned: [HexText]())
    }

    /// The same, and registrations are revoked that were given up on the way, by their M-Pin IDs.
    package mutating func recover(
        _ user: User, pin: borrowing PIN, abandoned: [HexText]
    ) throws(MPinError) -> Bool {
        guard store.area == .staging else {
            throw MPinError(.flowError, "Only a registration in the staging area can replace another one.")
        }
        let proof = try startAuthentication(user)
        try finishAuthentication(proof, pin: pin)
        try adopt(user, abandoned: abandoned)
        guard let inUse = registrationInUse(like: user) else { return false }
        defer { user.record.notes = inUse.record.notes }
        return offers("revoke") && revokeReplaced(by: inUse, pin: pin) == 0
    }

    /// Has the server revoke registrations that the one in use has replaced, each authorized by a login of that one.
    ///
    /// - Parameter user: an identity and server; what logs in is their registration in use.
    /// - Returns: whether all are revoked. A failure does not affect the registration in use.
    package mutating func revoke(_ mpinIDs: [HexText], inFavorOf user: User, pin: borrowing PIN) -> Bool {
        guard offers("revoke"), let inUse = registrationInUse(like: user) else { return false }
        var isRevoked = true
        for mpinID in mpinIDs where mpinID != inUse.record.mpinID {
            do throws(MPinError) {
                let pending = try startAuthentication(of: inUse, until: deadline())
                try revoke(registration: mpinID, by: pending, pin: pin)
            } catch {
                // The server does not know it: nothing is left to revoke.
                if !error.isUnknownObject { isRevoked = false }
            }
        }
        return isRevoked
    }

    /// Removes from the staging area what is a registration in use under the same M-Pin ID.
    ///
    /// For a client that was opened on ``FileStore/Area/staging``, before anything else is done with it. A change of
    /// the PIN or a recovery that was cut short leaves such a copy; it is not the beginning of a new registration, and
    /// must not be taken for one.
    ///
    /// - Throws: STORAGE_ERROR; FLOW_ERROR outside the staging area.
    ///
    /// Milagro: none
    public mutating func discardLeftovers() throws(MPinError) {
        for user in allUsers {
            let inUse: User?
            do throws(StoreError) {
                inUse = try MPinClient.registration(of: user, in: store.beside(.users, create: true))
            } catch { throw MPinError(error) }
            if let inUse, inUse.record.mpinID == user.record.mpinID { try deleteUser(user) }
        }
    }

    /// Writes a registration of the staging area over the one in use, together with what the server has yet to revoke:
    /// from here on a cut must not leave it unknown.
    private mutating func adopt(_ user: User, abandoned: [HexText]) throws(MPinError) {
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            try client.stored { store throws(StoreError) in
                let inUse = try store.beside(.users, create: true)
                let replaced = try MPinClient.registration(of: user, in: inUse)
                var notes = MPinClient.notes(of: user, replacing: replaced, abandoned)
                // A server that cannot revoke will not be asked.
                if !client.offers("revoke") { notes.replaced = [] }
                user.notes = notes
                try RecordFile.write(user, to: inUse)
                if let replaced { AttemptNotes(of: replaced, in: inUse, create: false)?.clear() }
            }
            // It is the registration in use now; a copy that stays in the staging area is discarded by the next
            // renewal.
            do throws(StoreError) { try RecordFile.remove(user, from: client.store) } catch {}
        }
    }

    private static func notes(of user: User, replacing old: User?, _ abandoned: [HexText]) -> EnrollmentNotes {
        var notes = user.notes
        // A server that was set up anew does not know the old registration.
        if let old, old.record.serverID == nil || old.record.serverID == user.record.serverID {
            notes.replaced += old.notes.replaced
            // An adoption that was interrupted has put this very registration there, which must not be revoked.
            if let mpinID = old.record.mpinID, mpinID != user.record.mpinID {
                notes.replaced.append(EnrollmentNotes.Replaced(mpinID: mpinID, device: old.notes.device))
            }
            notes.backupCodes = notes.backupCodes ?? old.notes.backupCodes
        }
        notes.replaced += abandoned.map { EnrollmentNotes.Replaced(mpinID: $0, device: nil) }
        return notes
    }

    private func registrationInUse(like user: User) -> User? {
        do throws(StoreError) {
            return try MPinClient.registration(of: user, in: store.beside(.users, create: false))
        } catch { return nil }
    }
}
#endif
