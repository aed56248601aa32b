internal import MPinWire

extension MPinClient {
    /// Puts a registration from the staging area in the place of the one in use.
    ///
    /// For a client that was opened on ``FileStore/Area/staging``, once the new registration has logged in.
    /// - Returns: the M-Pin ID of the registration that it replaced, if there was another one.
    package mutating func adopt(_ user: User) throws(MPinError) -> String? {
        guard isListed(user), user.state == .registered else {
            throw MPinError(.flowError, "Only a registration that can log in may replace another.")
        }
        var replaced: User?
        try withStoreLock { client throws(MPinError) in
            try client.requireUnchanged(user)
            try client.stored { store throws(StoreError) in
                let inUse = try store.beside(.users, create: true)
                replaced = try MPinClient.registration(of: user, in: inUse)
                try RecordFile.write(user, to: inUse)
                if let replaced { AttemptNotes(of: replaced, in: inUse, create: false)?.clear() }
            }
            // It is the registration in use now; a copy that stays in the staging area is discarded by the next
            // renewal.
            do throws(StoreError) { try RecordFile.remove(user, from: client.store) } catch {}
        }
        // An adoption that was interrupted has put this very registration there, which must not be revoked.
        return replaced?.record.mpinID.flatMap { $0 == user.record.mpinID ? nil : $0.string }
    }

    /// Removes from the staging area what is a registration in use under the same M-Pin ID.
    ///
    /// For a client that was opened on ``FileStore/Area/staging``. A change of the PIN or an adoption that was cut
    /// short leaves such a copy; it is no beginning of a new registration, and must not be taken for one.
    package mutating func discardLeftovers() throws(MPinError) {
        for user in allUsers {
            let inUse: User?
            do throws(StoreError) {
                inUse = try MPinClient.registration(of: user, in: store.beside(.users, create: true))
            } catch {
                throw MPinError(error)
            }
            if let inUse, inUse.record.mpinID == user.record.mpinID { try deleteUser(user) }
        }
    }

    static func registration(of user: User, in store: borrowing FileStore) throws(StoreError) -> User? {
        do throws(StoreError) {
            return try RecordFile.load(store).users.first { $0.isRegistration(like: user) }
        } catch .notEnrolled { return nil }
    }
}
