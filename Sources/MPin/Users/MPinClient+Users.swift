// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// The identities at the server in use.
    ///
    /// Milagro: `ListUsers`
    public var users: [User] {
        guard let backend else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// Returns the identities at a server, whether it is in use or not.
    ///
    /// - Parameter backend: the server's address.
    ///
    /// Milagro: `ListUsers(backend)`
    public func users(at backend: String) -> [User] {
        guard let backend = Backend(ByteText(backend)) else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// The servers at which the account has identities, without duplicates.
    ///
    /// Milagro: `ListBackends`
    public var backends: [String] {
        var backends: [ByteText] = []
        for user in allUsers where !backends.contains(user.record.backend) { backends.append(user.record.backend) }
        return backends.map { $0.string }
    }

    /// Returns the user of that identity at the server in use.
    ///
    /// - Parameter identity: the identity, byte for byte.
    ///
    /// Milagro: `getIUserById`
    public func user(identity: String) -> User? {
        let identity = ByteText(identity)
        return users.first { $0.record.identity == identity }
    }
}

/// Changes that other processes have made to an account's registrations since they were read.
extension MPinClient {
    /// Reads the store again. Users whose registration another process has deleted are removed from the list and become
    /// INVALID.
    ///
    /// - Returns: the stored users.
    @discardableResult @inline(never) mutating func reread() throws(MPinError) -> [User] {
        let stored: [User]
        let setAside: Int
        do throws(StoreError) { (stored, setAside) = try RecordFile.load(store) } catch .notEnrolled {
            (stored, setAside) = ([], 0)
        } catch { throw MPinError(error) }
        // A record that has become unreadable was not deleted.
        guard setAside <= recordsSetAside else { return stored }
        var kept: [User] = []
        for user in allUsers {
            if stored.contains(where: { $0.isRegistration(like: user) }) { kept.append(user) } else { user.forget() }
        }
        allUsers = kept
        return stored
    }

    /// The stored registration of a user's identity at the user's server, in any area of the store.
    static func registration(of user: User, in store: borrowing FileStore) throws(StoreError) -> User? {
        do throws(StoreError) {
            return try RecordFile.load(store).users.first { $0.isRegistration(like: user) }
        } catch .notEnrolled { return nil }
    }

    /// Updates a user from the store.
    ///
    /// - Returns: whether it is still the registration that this client knew.
    /// - Throws: FLOW_ERROR if it is no longer stored.
    @inline(never)
    mutating func reconcile(_ user: User) throws(MPinError) -> Bool {
        for stored in try reread() where stored.isRegistration(like: user) {
            let isSame = user.take(stored)
            if !isSame { readLastContact(of: user) }
            return isSame
        }
        throw MPinError(.flowError, "Another process has deleted this registration: register again.")
    }

    /// Refuses to continue with a registration that another process has changed; the user then shows what is stored
    /// now.
    @inline(never)
    mutating func requireUnchanged(_ user: User) throws(MPinError) {
        guard try reconcile(user) else {
            throw MPinError(.flowError, "Another process has changed this registration: continue from its new state.")
        }
    }

    /// Changes the store while other processes cannot.
    ///
    /// The lock is never held during a request, so the wait for it is short.
    @inline(never)
    mutating func withStoreLock(_ change: (inout MPinClient) throws(MPinError) -> Void) throws(MPinError) {
        let lock = try lockStore()
        try withExtendedLifetime(lock) { () throws(MPinError) in try change(&self) }
    }

    /// Works under the store's lock without changing anything in this client.
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

    /// Checks whether the records could be changed now.
    package func requireLock() throws(MPinError) { try lockedStore { _ in } }

    /// Refuses deleted users, and users of other clients and of servers other than the one in use.
    @inline(never)
    func requireHere(_ user: User) throws(MPinError) {
        guard isListed(user) else {
            throw user.state == .invalid
                ? user.wrongState
                : MPinError(.flowError, "This user object belongs to another client. Use one of 'users'.")
        }
        guard let backend else { throw MPinClient.noServer }
        guard user.record.backend == backend.address else {
            throw MPinError(.flowError, "This user is registered at another server: set that backend first.")
        }
    }
}

extension User {
    /// The error of a call that does not match the user's state.
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
