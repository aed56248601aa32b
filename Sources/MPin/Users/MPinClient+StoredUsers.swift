internal import MPinWire

/// Changes that other processes have made to the registrations of an account since they were read.
extension MPinClient {
    /// Reads the store again. Users whose registration another process has deleted leave the list and become INVALID.
    ///
    /// - Returns: what is stored.
    @discardableResult
    @inline(never)
    mutating func reread() throws(MPinError) -> [User] {
        let stored: [User]
        let setAside: Int
        do throws(StoreError) { (stored, setAside) = try RecordFile.load(store) } catch .notEnrolled {
            (stored, setAside) = ([], 0)
        } catch { throw MPinError(error) }
        // A record that has become unreadable is not one that was deleted.
        guard setAside <= recordsSetAside else { return stored }
        var kept: [User] = []
        for user in allUsers {
            if stored.contains(where: { $0.isRegistration(like: user) }) { kept.append(user) } else { user.forget() }
        }
        allUsers = kept
        return stored
    }

    /// Updates a user from the store.
    ///
    /// - Returns: whether it is still the registration that this client knew.
    /// - Throws: FLOW_ERROR when it is stored no more.
    @inline(never)
    mutating func reconcile(_ user: User) throws(MPinError) -> Bool {
        for stored in try reread() where stored.isRegistration(like: user) {
            let isSame = user.take(stored)
            if !isSame { readLastContact(of: user) }
            return isSame
        }
        throw MPinError(.flowError, "Another process has deleted this registration: register again.")
    }

    /// Refuses to go on from a registration that another process has changed; the user then shows what is stored now.
    @inline(never)
    mutating func requireUnchanged(_ user: User) throws(MPinError) {
        guard try reconcile(user) else {
            throw MPinError(
                .flowError, "Another process has changed this registration: continue from its new state.")
        }
    }

    /// Changes the store while other processes are kept from changing it.
    ///
    /// The lock is never held during a request, so waiting for it is short.
    @inline(never)
    mutating func withStoreLock(_ change: (inout MPinClient) throws(MPinError) -> Void) throws(MPinError) {
        let lock = try lockStore()
        try withExtendedLifetime(lock) { () throws(MPinError) in try change(&self) }
    }

    /// The same for what changes nothing in this client.
    @inline(never)
    func lockedStore(_ change: (borrowing FileStore) throws(StoreError) -> Void) throws(MPinError) {
        let lock = try lockStore()
        try withExtendedLifetime(lock) { () throws(MPinError) in try stored(change) }
    }

    @inline(never)
    private func lockStore() throws(MPinError) -> Descriptor {
        do { return try store.lock(until: Deadline(millisecondsFromNow: 1000), create: true) } catch {
            throw MPinError(error)
        }
    }

    /// Finds out whether the records could be changed now.
    package func requireLock() throws(MPinError) {
        try lockedStore { _ in }
    }

    /// Refuses users of other clients and of other servers than the one in use, and those that were deleted.
    @inline(never)
    func requireHere(_ user: User) throws(MPinError) {
        guard isListed(user) else {
            throw user.state == .invalid
                ? user.wrongState
                : MPinError(.flowError, "This user object belongs to another client: take it from users.")
        }
        guard let backend else { throw MPinClient.noServer }
        guard user.record.backend == backend.address else {
            throw MPinError(.flowError, "This user is registered at another server: set that backend first.")
        }
    }
}

extension User {
    /// The failure of a call that does not fit the user's state.
    var wrongState: MPinError {
        @inline(never) get {
            switch state {
            case .invalid: MPinError(.flowError, "This user is new: start a registration.")
            case .startedRegistration:
                MPinError(.flowError, "This user's registration is not verified yet: confirm or restart it.")
            case .activated: MPinError(.flowError, "This user is verified: confirm the registration and set the PIN.")
            case .registered: MPinError(.flowError, "This user is already registered: start an authentication.")
            case .blocked:
                MPinError(
                    .flowError, "This user is blocked after too many wrong PINs: register again, or lift the block.")
            }
        }
    }
}
